const strong = /\p{L}/u;
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Whether a text runs from right to left: its first letter decides (rule P2 of Unicode's bidirectional
 * algorithm).
 */
export function isRightToLeft(text: string): boolean {
  const first = strong.exec(text)?.[0];
  return first !== undefined && rightToLeft.test(first);
}

/** Whether any of a text runs from right to left. */
export const hasRightToLeft = (text: string): boolean => rightToLeft.test(text);
