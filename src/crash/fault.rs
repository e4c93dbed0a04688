//! How a step of the disk can fail.
//!
//! Absent from here: which step. The one rule: every fault was named by a system call's
//! manual or by a report of what a disk did.

use std::io;

/// What the system says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errno {
    /// `ENOSPC`: the disk is full.
    NoSpace,
    /// `EIO`: the medium failed.
    Io,
    /// `EACCES`: the rights are missing.
    Access,
    /// `EROFS`: the file system became read-only.
    ReadOnly,
    /// `EMFILE`: too many files are open.
    TooManyFiles,
}

impl Errno {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::NoSpace, Self::Io, Self::Access, Self::ReadOnly, Self::TooManyFiles];

    pub(super) fn error(self) -> io::Error {
        use rustix::io::Errno as System;
        let errno = match self {
            Self::NoSpace => System::NOSPC,
            Self::Io => System::IO,
            Self::Access => System::ACCESS,
            Self::ReadOnly => System::ROFS,
            Self::TooManyFiles => System::MFILE,
        };
        errno.into()
    }

    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "enospc" => Self::NoSpace,
            "eio" => Self::Io,
            "eacces" => Self::Access,
            "erofs" => Self::ReadOnly,
            "emfile" => Self::TooManyFiles,
            _ => return None,
        })
    }
}

/// In which way a step fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The step was not done.
    Refused(Errno),
    /// The step was done, and reported as failed, as network file systems do.
    DoneAndRefused(Errno),
    /// Half of the bytes were written, then the disk was full. Steps that write no bytes
    /// are refused.
    Short,
    /// A sync of a file fails with `EIO` and drops the bytes, and every later sync of the
    /// same file succeeds and brings nothing to the medium. Other steps are refused.
    Dropped,
}

impl How {
    pub(super) fn error(self) -> io::Error {
        match self {
            Self::Refused(errno) | Self::DoneAndRefused(errno) => errno.error(),
            Self::Short => Errno::NoSpace.error(),
            Self::Dropped => Errno::Io.error(),
        }
    }
}

/// How often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// So many steps, this one first.
    Next(usize),
    /// This and every later one.
    FromThenOn,
}

/// A failure that was planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// In which way.
    pub how: How,
    /// How often.
    pub times: Times,
}

impl Fault {
    /// Whether it strikes the step with this number, if it begins at that one.
    pub(super) fn strikes(self, begins: usize, number: usize) -> bool {
        match self.times {
            Times::Next(count) => (begins..begins + count).contains(&number),
            Times::FromThenOn => number >= begins,
        }
    }

    /// Reads `KIND@N` or `KIND@N+`, and gives N too. KIND is an errno in lower case, an
    /// errno with `-done`, `short` or `dropped`.
    pub(super) fn parse(text: &str) -> Option<(usize, Self)> {
        let (kind, number) = text.split_once('@')?;
        let (number, times) = match number.strip_suffix('+') {
            Some(number) => (number, Times::FromThenOn),
            None => (number, Times::Next(1)),
        };
        let how = match (kind, kind.strip_suffix("-done")) {
            ("short", _) => How::Short,
            ("dropped", _) => How::Dropped,
            (_, Some(errno)) => How::DoneAndRefused(Errno::parse(errno)?),
            (errno, None) => How::Refused(Errno::parse(errno)?),
        };
        Some((number.parse().ok().filter(|number| *number > 0)?, Self { how, times }))
    }
}
