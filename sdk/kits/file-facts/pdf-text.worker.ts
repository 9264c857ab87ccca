import { serve } from "@pergola/kit-worker/serve";
import { openPdf, pdfItems } from "./pdf.ts";
import type { PdfTasks } from "./pdf-tasks.ts";
import "./transfer-polyfill.ts";

/** More than a model could read. */
const [mostPages, mostCharacters] = [2000, 2_000_000];
const cutMark = "(The rest of the document was left out.)";

serve<PdfTasks>({
  async text(bytes) {
    const pdf = await openPdf(bytes);
    try {
      let text = "";
      for (let number = 1; number <= pdf.numPages; number += 1) {
        if (number > mostPages || text.length > mostCharacters) return `${text}\n\n${cutMark}`;
        const items = await pdfItems(await pdf.getPage(number));
        const page = items
          .map((item) => item.text)
          .join("")
          .trim();
        text += text === "" || page === "" ? page : `\n\n${page}`;
      }
      return text;
    } finally {
      await pdf.destroy();
    }
  },
});
