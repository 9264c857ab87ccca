import type { Group } from "./find-agreement.ts";
import type { Kind } from "./plan.ts";
import type { ReadSource } from "./read-sources.ts";

export type Finding = {
  readonly title: string;
  /** The words of a source, in quotation marks, and where they stand. */
  readonly summary: string;
  readonly confidence: number;
  readonly evidence_count: number;
  readonly source_count: number;
  readonly sources: readonly string[];
};

const longestTitle = 80;
/** How far a source of full credibility is believed when it stands alone. */
const trust = 0.6;

const rounded = (value: number): number => Math.round(value * 100) / 100;

function headline(sentence: string): string {
  if (sentence.length <= longestTitle) return sentence;
  const cut = sentence.slice(0, longestTitle);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), longestTitle / 2))}…`;
}

/** Of each host its most credible page. */
function voices(group: Group): readonly ReadSource[] {
  const best = new Map<string, ReadSource>();
  for (const { source } of group)
    if ((best.get(source.host)?.credibility ?? 0) < source.credibility) best.set(source.host, source);
  return [...best.values()];
}

/**
 * How sure: one minus the chance that all are wrong, each host being right with 0.6 of its credibility,
 * independent of the others.
 */
const confidenceOf = (group: Group): number =>
  rounded(1 - voices(group).reduce((doubt, { credibility }) => doubt * (1 - trust * credibility), 1));

/** What a group of sentences from the sources comes to. Nothing is put into other words. */
export function findingOf(group: Group, kind: Kind): Finding {
  const [{ sentence, source }] = group;
  const pageTitle = kind === "general" ? "" : source.title;
  return {
    title: pageTitle || headline(sentence),
    summary: `“${sentence}” (${source.url})`,
    confidence: confidenceOf(group),
    evidence_count: group.length,
    source_count: voices(group).length,
    sources: [...new Set(group.map((one) => one.source.url))],
  };
}

/** The mean of the findings' confidence; 0 when there are none. */
export const overall = (findings: readonly Finding[]): number =>
  rounded(findings.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, findings.length));
