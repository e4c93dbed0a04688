//! Numbers that look random and follow from a seed.
//!
//! Absent from here: the machine's randomness. The one rule: the same seed throws the
//! same numbers on every machine and in every build.

/// `SplitMix64`.
pub(crate) fn mixed(number: u64) -> u64 {
    let mut value = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// A sequence of such numbers.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn of_seed(seed: u64) -> Self {
        Self(mixed(seed))
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let limit = limit as u64;
        usize::try_from(mixed(self.0) % limit).expect("below a limit that was one")
    }

    /// True once in so many throws.
    pub(crate) fn one_in(&mut self, throws: usize) -> bool {
        self.below(throws) == 0
    }

    pub(crate) fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}
