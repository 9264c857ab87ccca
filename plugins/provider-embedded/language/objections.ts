import { anyOf } from "./any-of.ts";

/**
 * Why a sentence is no plain order, by what can be seen in it. Marked pieces are blank (\uFFFC) when it is
 * looked at.
 */
export const objections: Readonly<Record<string, RegExp>> = {
  negated:
    /\b(?:don'?t(?! forget)|do not(?! forget)|never|not|without|avoid|stop|shouldn'?t|mustn'?t|refrain|undo|no need)\b/i,
  conditional: anyOf(
    "i",
    /\bif(?! it(?:'s| is)? (?:already )?(?:exists|there))\b/,
    /\b(?:unless|suppose|imagine|pretend|might|whenever|when|once|until|in case|whether|would|should(?! be))\b/,
  ),
  question: anyOf(
    "i",
    /^(?:how|what|why|when|who|whose|which|where|is|are|was|were|does|did|should|shall|has|am)\b/,
    /^(?:do you|do we|do i|can i|can we|may i|could(?! you)|would(?! you)|have (?:i|you|we))\b/,
  ),
  quoted: /^\s*(?:>|\/\/|#)/,
  reported: anyOf(
    "i",
    /\b(?:said|says(?= ?[:,]|$)|told|asked|asks|wants? me|suggest(?:s|ed)?|tell \w+ to)\b/,
    /(?<!^)\b(?:remind|explain|describe|translate|meant?|means)\b/,
  ),
  postponed: anyOf(
    "i",
    /\b(?:tomorrow|later|tonight|someday|soon|next (?:week|month|year|time))\b/,
    /\b(?:in \d+ (?:minutes?|hours?|days?)|every (?:day|hour|week|month|morning|evening))\b/,
  ),
  withdrawn: anyOf(
    "i",
    /\b(?:no,? wait|wait,|wait!|hold on|no,? (?:don'?t|stop)|cancel (?:that|it)|actually,? (?:no|don'?t)|or rather)/,
    /\b(?:never ?mind|scratch that|forget it|just kidding|on second thou?ght)\b/,
  ),
  limited: /\b(?:except|but|unless|like|instead(?! of)|rather than)\b/i,
  alternative: /\uFFFC\s+or\s+\uFFFC/,
};
