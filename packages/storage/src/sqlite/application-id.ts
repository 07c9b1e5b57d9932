/** What the header of a store says that it is: "Rcol" in ASCII. */
export const APPLICATION_ID = 0x52_63_6f_6c;
