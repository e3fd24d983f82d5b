use crate::allocation::{OutOfMemory, try_filled};
use crate::special::ln_gamma;

/// How many objects of each cluster have each label, with the logarithms that conditionals are made of. Everything is
/// laid out label (or base clustering) × cluster, so that one label of all clusters is one stretch of memory.
#[derive(Debug, PartialEq)]
pub(super) struct NbceCounts {
    /// K: the stride.
    truncation: usize,
    arity: Vec<usize>,
    /// Base clustering of every label position.
    column_of: Vec<u32>,
    /// N^{km}_j.
    of_label: Vec<u32>,
    /// N^{km}: differs from the cluster's size where labels are missing.
    of_column: Vec<u32>,
    /// ln(β + N^{km}_j).
    log_label: Vec<f64>,
    /// ln(J_m β + N^{km}).
    log_column: Vec<f64>,
    beta: f64,
    /// Logarithms of β + n.
    beta_table: LogTable,
    /// Logarithms of J β + n, for every J that occurs.
    arity_tables: Vec<LogTable>,
    different_arities: Vec<usize>,
    table_of_column: Vec<usize>,
}

/// ln(x + n), and their sums, which are ln Γ(x + n) − ln Γ(x), for n = 0 … `largest`.
#[derive(Debug, PartialEq)]
struct LogTable {
    log: Vec<f64>,
    rising: Vec<f64>,
}

impl LogTable {
    fn new(x: f64, largest: usize) -> Self {
        let log: Vec<f64> = (0..=largest).map(|n| (x + n as f64).ln()).collect();
        let sums = log.iter().scan(0.0, |sum, log| {
            let before = *sum;
            *sum += log;
            Some(before)
        });
        Self { rising: sums.collect(), log }
    }
}

fn arity_tables(arities: &[usize], beta: f64, objects: usize) -> Vec<LogTable> {
    arities.iter().map(|&labels| LogTable::new(labels as f64 * beta, objects)).collect()
}

impl NbceCounts {
    /// No object in any cluster.
    pub(super) fn new(arity: &[usize], truncation: usize, objects: usize, beta: f64) -> Result<Self, OutOfMemory> {
        let column_of: Vec<u32> = (0..).zip(arity).flat_map(|(m, &labels)| std::iter::repeat_n(m, labels)).collect();
        let mut different = arity.to_vec();
        different.sort_unstable();
        different.dedup();
        let table_of_column =
            arity.iter().map(|labels| different.binary_search(labels).expect("every arity was listed")).collect();
        let mut counts = Self {
            truncation,
            arity: arity.to_vec(),
            of_label: try_filled(0, column_of.len() * truncation)?,
            of_column: try_filled(0, arity.len() * truncation)?,
            log_label: try_filled(0.0, column_of.len() * truncation)?,
            log_column: try_filled(0.0, arity.len() * truncation)?,
            beta,
            beta_table: LogTable::new(beta, objects),
            arity_tables: arity_tables(&different, beta, objects),
            table_of_column,
            different_arities: different,
            column_of,
        };
        counts.look_up();
        Ok(counts)
    }

    /// Every logarithm from its count.
    fn look_up(&mut self) {
        for (log, &count) in self.log_label.iter_mut().zip(&self.of_label) {
            *log = self.beta_table.log[count as usize];
        }
        let columns =
            self.log_column.chunks_exact_mut(self.truncation).zip(self.of_column.chunks_exact(self.truncation));
        for ((logs, counts), &table) in columns.zip(&self.table_of_column) {
            for (log, &count) in logs.iter_mut().zip(counts) {
                *log = self.arity_tables[table].log[count as usize];
            }
        }
    }

    /// Takes all objects out.
    pub(super) fn clear(&mut self) {
        self.of_label.fill(0);
        self.of_column.fill(0);
        self.look_up();
    }

    pub(super) fn beta(&self) -> f64 {
        self.beta
    }

    /// Another β.
    pub(super) fn set_beta(&mut self, beta: f64) {
        if beta == self.beta {
            return;
        }
        let objects = self.beta_table.log.len() - 1;
        self.beta = beta;
        self.beta_table = LogTable::new(beta, objects);
        self.arity_tables = arity_tables(&self.different_arities, beta, objects);
        self.look_up();
    }

    /// Puts an object with these labels into a cluster.
    pub(super) fn add(&mut self, labels: &[u32], cluster: usize) {
        for &label in labels {
            self.set(label as usize, cluster, |count| count + 1);
        }
    }

    /// Takes an object with these labels out of a cluster.
    pub(super) fn remove(&mut self, labels: &[u32], cluster: usize) {
        for &label in labels {
            self.set(label as usize, cluster, |count| count - 1);
        }
    }

    fn set(&mut self, label: usize, cluster: usize, change: impl Fn(u32) -> u32) {
        let column = self.column_of[label] as usize;
        let slot = label * self.truncation + cluster;
        self.of_label[slot] = change(self.of_label[slot]);
        self.log_label[slot] = self.beta_table.log[self.of_label[slot] as usize];
        let slot = column * self.truncation + cluster;
        self.of_column[slot] = change(self.of_column[slot]);
        self.log_column[slot] = self.arity_tables[self.table_of_column[column]].log[self.of_column[slot] as usize];
    }

    /// ln Π_m (β + N^{km}_y) / (J_m β + N^{km}) for each of the first clusters (Eq. 5, over the observed labels).
    pub(super) fn log_likelihoods(&self, labels: &[u32], out: &mut [f64]) {
        out.fill(0.0);
        for &label in labels {
            let column = self.column_of[label as usize] as usize;
            let log_label = &self.log_label[label as usize * self.truncation..][..out.len()];
            let log_column = &self.log_column[column * self.truncation..][..out.len()];
            for ((sum, label), column) in out.iter_mut().zip(log_label).zip(log_column) {
                *sum += label - column;
            }
        }
    }

    /// The same for one cluster.
    pub(super) fn log_likelihood(&self, labels: &[u32], cluster: usize) -> f64 {
        let of_label = |&label: &u32| {
            let column = self.column_of[label as usize] as usize;
            self.log_label[label as usize * self.truncation + cluster]
                - self.log_column[column * self.truncation + cluster]
        };
        labels.iter().map(of_label).sum()
    }

    /// The same for one cluster, as if one object with these labels were taken out of it.
    pub(super) fn log_likelihood_without(&self, labels: &[u32], cluster: usize) -> f64 {
        let of_label = |&label: &u32| {
            let column = self.column_of[label as usize] as usize;
            let count = self.of_label[label as usize * self.truncation + cluster] - 1;
            let of_column = self.of_column[column * self.truncation + cluster] - 1;
            let table = &self.arity_tables[self.table_of_column[column]];
            self.beta_table.log[count as usize] - table.log[of_column as usize]
        };
        labels.iter().map(of_label).sum()
    }

    /// ln p(Y | Z, β) (Eq. 4 without p(Z)), clusters from `end` on being empty.
    pub(super) fn log_probability(&self, end: usize) -> f64 {
        let mut sum = 0.0;
        for counts in self.of_label.chunks_exact(self.truncation) {
            sum += counts[..end].iter().map(|&count| self.beta_table.rising[count as usize]).sum::<f64>();
        }
        for (counts, &table) in self.of_column.chunks_exact(self.truncation).zip(&self.table_of_column) {
            let table = &self.arity_tables[table];
            sum -= counts[..end].iter().map(|&count| table.rising[count as usize]).sum::<f64>();
        }
        sum
    }

    /// [`NbceCounts::log_probability`] as it would be with another β.
    pub(super) fn log_probability_at(&self, beta: f64, end: usize) -> f64 {
        let rising = |counts: &[u32], x: f64| {
            let of_x = ln_gamma(x);
            let occupied = counts[..end].iter().filter(|&&count| count > 0);
            occupied.map(|&count| ln_gamma(x + f64::from(count)) - of_x).sum::<f64>()
        };
        let labels: f64 = self.of_label.chunks_exact(self.truncation).map(|counts| rising(counts, beta)).sum();
        let columns = self.of_column.chunks_exact(self.truncation).zip(&self.arity);
        labels - columns.map(|(counts, &labels)| rising(counts, labels as f64 * beta)).sum::<f64>()
    }
}
