/** Why a sentence is no plain order, by what can be seen in it. Marked pieces are blank when it is looked at. */
export const objections: Readonly<Record<string, RegExp>> = {
  negated: /\b(?:don'?t|do not|never|not|without|avoid|stop|shouldn'?t|mustn'?t|refrain|undo)\b/i,
  conditional:
    /\b(?:if(?! it(?:'s| is)? (?:already )?(?:exists|there))|unless|suppose|imagine|pretend|might|whenever|when|once|until|in case|whether|would|should(?! be))\b/i,
  question:
    /^(?:how|what|why|when|who|whose|which|where|is|are|was|were|does|do you|do we|do i|did|should|shall|can i|can we|may i|could(?! you)|would(?! you)|has|have (?:i|you|we)|am)\b/i,
  quoted: /^\s*(?:>|\/\/|#)/,
  reported:
    /\b(?:said|says(?= ?[:,]|$)|told|asked|asks|wants? me|suggest(?:s|ed)?|tell \w+ to|remind|explain|describe|translate|meant?|means)\b/i,
  postponed:
    /\b(?:tomorrow|later|tonight|someday|soon|next (?:week|month|year|time)|in \d+ (?:minutes?|hours?|days?)|every (?:day|hour|week|month|morning|evening))\b/i,
  withdrawn:
    /\b(?:no,? wait|wait,|wait!|hold on|no,? (?:don'?t|stop)|cancel (?:that|it)|actually,? (?:no|don'?t)|or rather|never ?mind|scratch that|forget it|just kidding|on second thou?ght)\b/i,
  limited: /\b(?:except|but|unless|like|instead(?! of)|rather than)\b/i,
  alternative: /\uFFFC\s+or\s+\uFFFC/,
};
