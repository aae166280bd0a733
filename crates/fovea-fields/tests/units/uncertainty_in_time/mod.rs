mod judge;
mod paths;
