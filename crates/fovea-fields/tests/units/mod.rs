mod rehearsal;
