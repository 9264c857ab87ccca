const pieces: readonly RegExp[] = [
  /^(?:hey|hi|hello|ok(?:ay)?|so|well|now|and|also|right|alright|great|yes|yeah|sure|thanks)(?: there| guide| pergola)?\s*[,!.:-]*\s+/i,
  /^(?:please|kindly|pls|plz|just|quickly|first|next|finally|then),?\s+/i,
  /^(?:can|could|would|will) you\s+/i,
  /^(?:would you |do you )?mind\s+/i,
  /^i(?:'d| would) like you to\s+|^i(?: want| need) you to\s+/i,
  /^(?:i(?:'d| would) like|i want|i wish|i need) to (?=(?:see|know|read|look|view|find|list|search)\b)/i,
  /^i(?: am|'m) (?=(?:looking|searching)\b)/i,
  /^go ahead and\s+|^let(?:'s| us)\s+|^help me (?:to )?|^be so kind (?:as )?to\s+|^feel free to\s+|^i need you to\s+/i,
  /^(?:maybe|possibly|perhaps)\s+/i,
  /^(?:find out|check|see|tell me|let me know|show me|explain to me)\s+(?=(?:what|what's|which|who|whether|if)\b)/i,
];

/** How many characters of the text are greeting and courtesy before the request itself. */
export function courtesyLength(text: string): number {
  let length = 0;
  for (;;) {
    const rest = text.slice(length);
    const found = pieces.map((piece) => piece.exec(rest)?.[0].length ?? 0).find((count) => count > 0);
    if (found === undefined || length + found >= text.length) return length;
    length += found;
  }
}
