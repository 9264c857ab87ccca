/** What the thread does that reads PDFs. */
export interface PdfTasks {
  /** The text of a PDF, as far as its pages hold text. */
  readonly text: { readonly ask: Uint8Array; readonly answer: string };
}
