use crate::cluster::SpectralError;
use crate::data::MatrixError;
use crate::params::CountError;

/// Why a dataset cannot be clustered this way, in words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GenerateError(String);

impl From<String> for GenerateError {
    fn from(reason: String) -> Self {
        Self(reason)
    }
}

impl From<&str> for GenerateError {
    fn from(reason: &str) -> Self {
        Self(reason.to_owned())
    }
}

impl From<CountError> for GenerateError {
    fn from(error: CountError) -> Self {
        Self(error.to_string())
    }
}

impl From<SpectralError> for GenerateError {
    fn from(error: SpectralError) -> Self {
        Self(error.to_string())
    }
}

impl From<MatrixError> for GenerateError {
    fn from(error: MatrixError) -> Self {
        Self(error.to_string())
    }
}
