//! Request bodies that count what was handed over.
//!
//! Absent from here: what is in them. The one rule: a body counts a chunk as handed
//! over *before* the chunk leaves, so "less than everything was handed over" is proof
//! that the request did not leave whole, and "everything" proves nothing.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::{Bytes, BytesMut};
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use tokio::io::AsyncReadExt as _;

/// Bytes handed over at a time. Small, so that a connection that breaks early is
/// seen to have broken before the whole body was handed over.
const CHUNK_BYTES: usize = 16 * 1024;

/// A body of known size, and the count of what was handed over of it.
pub(crate) struct CountedBody {
    chunks: BoxStream<'static, std::io::Result<Bytes>>,
    pub(crate) total: u64,
    pub(crate) handed: Handed,
}

/// How far an upload got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandedOver {
    /// Bytes that were handed to the connection.
    pub bytes: u64,
    /// Bytes in all.
    pub of: u64,
}

/// Is told how far an upload got, after each piece of it. It can watch, and no more.
pub type UploadWatch = Arc<dyn Fn(HandedOver) + Send + Sync>;

/// How many bytes of a body were handed to the connection so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Handed(Arc<AtomicU64>);

impl Handed {
    pub(crate) fn bytes(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64, Ordering::SeqCst);
    }
}

impl CountedBody {
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Self {
        let total = bytes.len() as u64;
        let mut rest = Bytes::from(bytes);
        let chunks = std::iter::from_fn(move || {
            (!rest.is_empty()).then(|| rest.split_to(rest.len().min(CHUNK_BYTES)))
        });
        Self::counted(futures_util::stream::iter(chunks.map(Ok)), total)
    }

    /// Streams a file, which is never held whole. Fails, with nothing sent, if it can't
    /// be opened or has another size than it had when it was read for its digest.
    pub(crate) async fn from_file(path: &Path, total: u64) -> Result<Self, String> {
        let shown = path.display();
        let file = tokio::fs::File::open(path)
            .await
            .map_err(|error| format!("cannot open {shown}: {error}"))?;
        let metadata =
            file.metadata().await.map_err(|error| format!("cannot read {shown}: {error}"))?;
        if !metadata.is_file() || metadata.len() != total {
            return Err(format!(
                "{shown} has {} bytes now and had {total} when it was checked",
                metadata.len()
            ));
        }
        // A file that grows meanwhile must not make the body longer than announced.
        let stream = tokio_util::io::ReaderStream::with_capacity(file.take(total), CHUNK_BYTES);
        Ok(Self::counted(stream, total))
    }

    fn counted<S>(chunks: S, total: u64) -> Self
    where
        S: Stream<Item = std::io::Result<Bytes>> + Send + 'static,
    {
        let handed = Handed::default();
        let counter = handed.clone();
        let chunks = chunks.inspect(move |chunk| {
            if let Ok(chunk) = chunk {
                counter.add(chunk.len());
            }
        });
        Self { chunks: chunks.boxed(), total, handed }
    }

    /// Tells somebody of each chunk after it was counted.
    pub(crate) fn watched(self, watch: UploadWatch) -> Self {
        let (handed, of) = (self.handed.clone(), self.total);
        let chunks = self.chunks.inspect(move |_| watch(HandedOver { bytes: handed.bytes(), of }));
        Self { chunks: chunks.boxed(), ..self }
    }

    /// As the network's client takes it. A stream, unlike bytes, can't be cloned: even a
    /// client that wanted to send a request again would have nothing to send.
    pub(crate) fn into_stream(self) -> reqwest::Body {
        reqwest::Body::wrap_stream(self.chunks)
    }

    /// Whole, for a site in this process.
    pub(crate) async fn into_bytes(self) -> std::io::Result<Bytes> {
        let whole = self.chunks.try_fold(BytesMut::new(), |mut whole, chunk| async move {
            whole.extend_from_slice(&chunk);
            Ok(whole)
        });
        Ok(whole.await?.freeze())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use super::*;

    #[tokio::test]
    async fn who_watches_is_told_of_each_chunk_and_changes_none() {
        let content: Vec<u8> = (0..40_000_u32).map(|n| n.to_le_bytes()[0]).collect();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("film.mp4");
        std::io::Write::write_all(&mut std::fs::File::create(&path).unwrap(), &content).unwrap();
        let told: Arc<Mutex<Vec<u64>>> = Arc::default();
        let heard = told.clone();
        let watch: UploadWatch = Arc::new(move |HandedOver { bytes, of }| {
            assert_eq!(of, 40_000);
            heard.lock().unwrap_or_else(PoisonError::into_inner).push(bytes);
        });
        let body = CountedBody::from_file(&path, 40_000).await.unwrap().watched(watch);
        let handed = body.handed.clone();
        assert_eq!(body.into_bytes().await.unwrap(), content);
        assert_eq!(*told.lock().unwrap(), [16_384, 32_768, 40_000]);
        assert_eq!(handed.bytes(), 40_000);
    }
}
