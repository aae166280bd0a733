mod arm;
mod group;
mod jobs;
mod mirror;
mod tell;
mod theory;
