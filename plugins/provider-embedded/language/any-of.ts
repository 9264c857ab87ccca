/**
 * One pattern that matches whatever one of these does; long alternatives stay readable line by line. Their
 * flags do not count.
 */
export const anyOf = (flags: string, ...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join("|"), flags);
