export { type PdfFiles, PdfProblem, readPdf } from './read-pdf.js';
