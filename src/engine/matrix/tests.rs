//! Products against plain models.
