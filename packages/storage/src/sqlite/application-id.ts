/** Identifies a store in the file header: "Rcol" in ASCII. */
export const APPLICATION_ID = 0x52_63_6f_6c;
