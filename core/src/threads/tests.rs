use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

use super::*;

fn threads(count: usize) -> Threads {
    Threads::new(NonZeroUsize::new(count).unwrap())
}

/// Which of starts with these merits is kept; a merit of −1 is a failure.
fn kept(threads: &Threads, merits: &[f64]) -> Result<usize, usize> {
    let best = threads.best_start(Starts {
        count: merits.len(),
        bytes: 8.0,
        state: || Ok(usize::MAX),
        run: |state: &mut usize, start| {
            thread::sleep(Duration::from_micros(200));
            *state = start;
            if merits[start] == -1.0 { Err(start) } else { Ok(merits[start]) }
        },
        merit: |merit: &f64| *merit,
        keep: |state: &mut usize| *state,
    });
    best.map(|(_, kept, _)| kept)
}

#[test]
fn blocks_cover_all_rows_once_and_there_are_never_too_many() {
    for rows in [0, 1, 4095, 4096, 4097, 10_000, 524_288, 524_289, 10_000_000] {
        let blocks: Vec<Range<usize>> = blocks(rows).collect();
        assert!(blocks.len() <= MOST_BLOCKS, "{rows}");
        assert_eq!(blocks.len(), rows.div_ceil(block_size(rows)), "{rows}");
        let mut next = 0;
        for block in &blocks {
            assert_eq!(block.start, next);
            assert!(block.len() == block_size(rows) || block.end == rows);
            next = block.end;
        }
        assert_eq!(next, rows);
    }
    assert_eq!(blocks(4096).len(), 1);
}

#[test]
fn what_is_made_stands_in_the_order_of_the_items_for_any_number_of_threads() {
    for count in [1, 2, 8, 64] {
        let made = threads(count).map((0..100_u64).collect(), |item| {
            thread::sleep(Duration::from_micros(item * 7919 % 50));
            item * item
        });
        assert_eq!(made, (0..100).map(|item| item * item).collect::<Vec<u64>>());
    }
}

#[test]
fn the_best_start_is_the_first_of_equals_and_never_the_one_that_is_no_number() {
    let (nan, least) = (f64::NAN, f64::NEG_INFINITY);
    let cases: [(&[f64], usize); 7] = [
        (&[1.0, 3.0, 2.0, 3.0, 0.0], 1),
        (&[nan, 3.0, 2.0, 4.0], 3),
        (&[5.0, nan, 7.0, 7.0], 2),
        (&[nan, nan, nan], 0),
        (&[nan, least, nan], 1),
        (&[least, nan, least], 0),
        (&[4.0], 0),
    ];
    for (merits, best) in cases {
        for count in [1, 2, 3, 8] {
            for _ in 0..20 {
                assert_eq!(kept(&threads(count), merits), Ok(best), "{merits:?} on {count} threads");
            }
        }
    }
}

#[test]
fn a_failure_ends_the_work_and_the_first_that_was_met_is_told() {
    assert_eq!(kept(&threads(1), &[0.0, -1.0, -1.0]), Err(1));
    assert_eq!(kept(&threads(4), &[0.0, -1.0, 2.0, 3.0, 4.0, 5.0]), Err(1));
    let begun = AtomicUsize::new(0);
    let told = threads(2).try_map((0..10_000).collect(), |item: usize| {
        begun.fetch_add(1, Ordering::Relaxed);
        thread::sleep(Duration::from_micros(10));
        if item == 3 { Err(item) } else { Ok(item) }
    });
    assert_eq!(told, Err(3));
    assert!(begun.load(Ordering::Relaxed) < 10_000);
}

#[test]
fn threads_are_given_back_also_after_a_panic_which_keeps_its_words() {
    let shared = threads(4);
    for _ in 0..3 {
        let panic = catch_unwind(AssertUnwindSafe(|| {
            shared.map((0..50).collect(), |item: usize| {
                thread::sleep(Duration::from_micros(100));
                assert!(item != 20, "item twenty");
            })
        }));
        let words = panic.unwrap_err();
        assert_eq!(words.downcast_ref::<&str>(), Some(&"item twenty"));
        assert_eq!(shared.idle.load(Ordering::Relaxed), 3);
    }
}

#[test]
fn never_more_threads_work_than_there_are_even_inside_each_other() {
    let shared = threads(3);
    let (working, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    shared.map((0..20).collect(), |_: usize| {
        shared.map((0..5).collect(), |_: usize| {
            most.fetch_max(working.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(Duration::from_micros(300));
            working.fetch_sub(1, Ordering::SeqCst);
        });
    });
    let most = most.load(Ordering::SeqCst);
    assert!((2..=3).contains(&most), "{most}");
}

#[test]
fn a_thread_that_becomes_idle_joins_work_that_has_begun() {
    let shared = Threads::default();
    let helped = AtomicBool::new(false);
    let caller = thread::current().id();
    shared.map((0..40).collect(), |item: usize| {
        if item == 5 {
            shared.lend();
        }
        if thread::current().id() != caller {
            helped.store(true, Ordering::Relaxed);
        }
        thread::sleep(Duration::from_millis(1));
    });
    assert!(helped.load(Ordering::Relaxed));
}

#[test]
fn the_time_alone_counts_the_work_of_all_and_no_waiting() {
    let shared = threads(4);
    let started = Instant::now();
    shared.map((0..8).collect(), |_: usize| thread::sleep(Duration::from_millis(20)));
    let alone = shared.alone(started.elapsed());
    assert!(alone >= Duration::from_millis(140), "{alone:?}");
    assert!(shared.for_another_run().alone(Duration::from_millis(3)) == Duration::from_millis(3));
}
