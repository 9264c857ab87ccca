import { phrase, type Phrase, silent } from "../../phrase.ts";

/** Two families tell about a document: either is right where both know it. */
const facts = ["get_doc_info", "file_info"] as const;

export const documents: readonly Phrase[] = [
  phrase("import the file minutes.docx", "document_import", { path: "minutes.docx" }),
  phrase("please import slides/kickoff.pptx", "document_import", { path: "slides/kickoff.pptx" }),
  phrase("take lease.pdf into your memory", "document_import", { path: "lease.pdf" }),
  phrase("put handbook.pdf into memory so that you can search it", "document_import", {
    path: "handbook.pdf",
  }),
  phrase("import the document at https://example.org/spec.docx", "document_import", {
    path: "https://example.org/spec.docx",
  }),
  phrase("ingest the PDF manual.pdf", "document_import", { path: "manual.pdf" }),
  phrase("load tax-2025.pdf as a document", "document_import", { path: "tax-2025.pdf" }),
  phrase("import https://files.example.com/rules.pdf into memory", "document_import", {
    path: "https://files.example.com/rules.pdf",
  }),
  phrase(
    "how many pages does thesis-final.pdf have?",
    [...facts, "get_file_info"],
    { path: "thesis-final.pdf" },
    { filePath: "thesis-final.pdf" },
  ),
  phrase("how many sheets are in the workbook sales.xlsx?", "get_doc_info", { path: "sales.xlsx" }),
  phrase("tell me the number of slides in pitch.pptx", facts, { path: "pitch.pptx" }),
  phrase("show the document properties of letter.docx", facts, { path: "letter.docx" }),
  phrase("give me the document info of annual.pdf", "get_doc_info", { path: "annual.pdf" }),
  phrase("who wrote the document proposal.docx?", facts, { path: "proposal.docx" }),
  phrase("what is the title of the document essay.docx?", facts, { path: "essay.docx" }),
  phrase("document information for brochure.pdf please", "get_doc_info", { path: "brochure.pdf" }),
  phrase('write a word document memo.docx with the text "Meeting at noon"', "document_create", {
    content: "Meeting at noon",
    format: "docx",
    filename: "memo.docx",
  }),
  phrase('generate a pdf invoice.pdf that says "Total: 40 EUR"', "document_create", {
    content: "Total: 40 EUR",
    format: "pdf",
    filename: "invoice.pdf",
  }),
  phrase('make a spreadsheet prices.xlsx with "a,b"', "document_create", {
    content: "a,b",
    format: "xlsx",
    filename: "prices.xlsx",
  }),
  phrase('create the presentation intro.pptx with the content "# Hello"', "document_create", {
    content: "# Hello",
    format: "pptx",
    filename: "intro.pptx",
  }),
  phrase('please make a PDF called summary.pdf with the text "All good"', "document_create", {
    content: "All good",
    format: "pdf",
    filename: "summary.pdf",
  }),
  phrase('could you create a word file plan.docx saying "Step one"?', "document_create", {
    content: "Step one",
    format: "docx",
    filename: "plan.docx",
  }),
  phrase('create a pdf document with the text "Hello Eve"', "document_create", {
    content: "Hello Eve",
    format: "pdf",
  }),
  phrase('make a docx with the content "Dear Sir" and the title "Complaint"', "document_create", {
    content: "Dear Sir",
    format: "docx",
    title: "Complaint",
  }),
  silent("what formats can you write documents in?"),
  silent("should I make a pdf or a word file?"),
  silent("don't create report.pdf yet"),
  silent('please do not write a pdf that says "Total: 0"'),
  silent("what would happen if you made a spreadsheet?"),
  silent("could you make a pdf if I asked?"),
  silent("a document is a piece of paper"),
  silent("I wrote a document yesterday"),
  silent("how do I create a word document?"),
  silent("can you make presentations?"),
];
