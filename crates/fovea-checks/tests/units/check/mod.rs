mod comparison;
mod dense;
mod law_of_the_data;
