import { openPdf } from "@pergola/kit-file-facts";
import { serve } from "@pergola/kit-worker/serve";
import type { PdfTasks } from "./info/pdf-reader.ts";

serve<PdfTasks>({
  async pages(bytes) {
    const pdf = await openPdf(bytes);
    try {
      return pdf.numPages;
    } finally {
      await pdf.destroy();
    }
  },
});
