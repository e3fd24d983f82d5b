/// A function of one positive quantity: its value, and its first and second derivative.
pub(super) struct Curve<V, D> {
    pub(super) value: V,
    pub(super) derivatives: D,
}

impl<V: Fn(f64) -> f64, D: Fn(f64) -> (f64, f64)> Curve<V, D> {
    /// One step of Newton's method towards a maximum, on the logarithm of the quantity and within `bounds`. Where the
    /// curve is not concave it goes uphill; a step is at most a factor e, and is halved until the value does not fall.
    pub(super) fn climb(&self, at: f64, bounds: (f64, f64)) -> f64 {
        let (slope, curvature) = (self.derivatives)(at);
        let gradient = at * slope;
        let hessian = gradient + at * at * curvature;
        let mut step = if hessian < 0.0 { (-gradient / hessian).clamp(-1.0, 1.0) } else { gradient.signum() };
        let value = (self.value)(at);
        for _ in 0..40 {
            let next = (at * step.exp()).clamp(bounds.0, bounds.1);
            if (self.value)(next) >= value {
                return next;
            }
            step /= 2.0;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maximum_is_reached_and_the_value_never_falls() {
        // 3 ln x − 2 x has its maximum at 1.5.
        let value = |x: f64| 3.0 * x.ln() - 2.0 * x;
        let curve = Curve { value, derivatives: |x: f64| (3.0 / x - 2.0, -3.0 / (x * x)) };
        for start in [1e-5, 0.3, 1.5, 40.0, 1e5] {
            let mut x: f64 = start;
            for _ in 0..40 {
                let next = curve.climb(x, (1e-6, 1e6));
                assert!(value(next) >= value(x));
                x = next;
            }
            assert!((x - 1.5).abs() < 1e-9, "from {start}: {x}");
        }
        assert_eq!(curve.climb(0.9, (0.5, 1.0)), 1.0);
    }
}
