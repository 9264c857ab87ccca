import type { Answers, Job } from "./jobs.ts";
import { isReadable } from "./is-readable.ts";
import { plainText } from "./plain-text.ts";
import { readArticle } from "./read-article.ts";
import { selectRows } from "./select-rows.ts";
import { selectTexts } from "./select-texts.ts";

/**
 * Runs in a thread. A page that would keep it for long is read as plain text, without a tree of its elements.
 */
export async function doJob(job: Job): Promise<Answers[Job["want"]]> {
  const { html } = job;
  if (job.want === "plain") return plainText(html);
  if (job.want === "article") return isReadable(html) ? await readArticle(html, job.url) : plainText(html);
  if (!isReadable(html)) throw new Error("the page is too large or too deeply nested");
  return job.want === "rows" ? selectRows(html, job) : selectTexts(html, job.selectors);
}
