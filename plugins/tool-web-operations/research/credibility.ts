import type { Kind } from "./plan.ts";

/** The host of an address, without `www.`. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^www\./, "");

/** Hosts and the hosts below them. */
const isOf = (host: string, names: readonly string[]): boolean =>
  names.some((name) => host === name || host.endsWith(`.${name}`));

const publicBodies =
  /(^|\.)(gov|edu|mil|int)$|(^|\.)(gov|gouv|gob|edu|ac|mil|govt)\.[a-z]{2}$|(^|\.)(europa\.eu|admin\.ch|bund\.de)$/;

const references =
  "wikipedia.org britannica.com nature.com science.org sciencedirect.com springer.com " +
  "ieee.org acm.org arxiv.org pubmed.ncbi.nlm.nih.gov who.int un.org oecd.org " +
  "worldbank.org reuters.com apnews.com afp.com bbc.co.uk bbc.com";
const manuals =
  "ietf.org rfc-editor.org w3.org whatwg.org iso.org developer.mozilla.org " +
  "readthedocs.io docs.rs pkg.go.dev kernel.org python.org nodejs.org stackoverflow.com";
const anybody =
  "reddit.com quora.com medium.com blogspot.com wordpress.com tumblr.com " +
  "pinterest.com facebook.com twitter.com x.com tiktok.com instagram.com youtube.com " +
  "substack.com telegra.ph";

interface SourceFacts {
  readonly url: string;
  readonly kind: Kind;
  readonly author?: string;
  readonly published?: string;
  /** Only the search engine's words about it could be read. */
  readonly isSnippet: boolean;
}

interface Rule {
  readonly points: number;
  readonly applies: (facts: SourceFacts & { readonly host: string }) => boolean;
}

/**
 * All that is known of a source is where it stands and whether somebody signs it, so the rule is no more than
 * that (README).
 */
const rules: readonly Rule[] = [
  { points: 0.3, applies: ({ host }) => publicBodies.test(host) },
  { points: 0.25, applies: ({ host }) => isOf(host, references.split(" ")) },
  {
    points: 0.25,
    applies: ({ host, kind }) =>
      kind === "technical" && (isOf(host, manuals.split(" ")) || /^(docs?|developers?)\./.test(host)),
  },
  { points: -0.2, applies: ({ host }) => isOf(host, anybody.split(" ")) },
  { points: 0.05, applies: ({ author }) => Boolean(author) },
  { points: 0.05, applies: ({ published }) => Boolean(published) },
  { points: -0.1, applies: ({ isSnippet }) => isSnippet },
];

/** 0.1 to 0.95: half, and the points of the rules that apply. */
export function credibility(facts: SourceFacts): number {
  const host = hostOf(facts.url);
  const points = rules
    .filter(({ applies }) => applies({ ...facts, host }))
    .reduce((sum, rule) => sum + rule.points, 0.5);
  return Math.round(Math.min(0.95, Math.max(0.1, points)) * 100) / 100;
}
