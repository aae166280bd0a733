mod arm;
mod claims;
mod jobs;
mod measure;
mod theory;
