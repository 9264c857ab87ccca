import { plain } from "../language/plain.ts";

/** Kinds of talk that need no tool. */
export type Talk =
  | "greeting"
  | "wellbeing"
  | "thanks"
  | "goodbye"
  | "identity"
  | "privacy"
  | "capabilities"
  | "connect"
  | "assent"
  | "refusal"
  | "praise"
  | "complaint"
  | "opinion"
  | "invention"
  | "definition"
  | "nudge";

const courtesy =
  /^(?:please|pls|thanks|thank you|thx|cheers|hi|hey|hello|hello there|hi there|good (?:morning|afternoon|evening)|ok|okay|great|perfect)(?: (?:so much|a lot|very much|guide|pergola|in advance|for your help))*$/;
const models =
  "(?:language )?models?|llms?|openai|chatgpt|gpt|anthropic|claude|gemini|ollama|lm ?studio|llama|mistral|deepseek|openrouter|providers?|api keys?";

/** In order: the first that fits is taken. Texts are lower-cased, without punctuation at the end. */
const rules: readonly (readonly [Talk, RegExp])[] = [
  [
    "nudge",
    /^your last answer was empty|\b(?:open|unfinished|remaining|incomplete) (?:to-?dos?|items?|tasks?|steps?)\b|^(?:continue|go on|carry on|keep going|proceed)(?: with (?:it|the (?:task|plan|work)))?$/,
  ],
  [
    "greeting",
    /^(?:hi|hello|hey|yo|howdy|hiya|greetings|good (?:morning|afternoon|evening|day)|welcome)(?:,? (?:there|guide|pergola|again|everyone|all|friend|you|to you))*$/,
  ],
  [
    "wellbeing",
    /^(?:(?:hi|hello|hey),? )?(?:there,? )?(?:how (?:are (?:you|things)|is it going|do you do)|how's (?:it going|life|everything)|what's up|whats up|are you (?:ok|okay|well|there))\b.{0,30}$/,
  ],
  [
    "thanks",
    /^(?:(?:ok|okay|great|nice|perfect|cool|alright|many),? )*(?:thanks|thank you|thx|ty|cheers|much appreciated|i appreciate)\b.{0,40}$/,
  ],
  [
    "goodbye",
    /^(?:ok,? )?(?:bye|bye bye|goodbye|good night|farewell|see (?:you|ya)|talk to you later|catch you later|have a (?:nice|good|great) (?:day|evening|weekend|night))\b.{0,25}$/,
  ],
  [
    "connect",
    new RegExp(
      `^(?:how|where|can|could|help|i want|i'd like|i would like|what do i need|is it possible|show me how)\\b.{0,40}\\b(?:connect|use|add|set ?up|configure|install|switch|talk|change|enable|plug|choose|select)\\b.{0,40}\\b(?:${models})\\b`,
    ),
  ],
  [
    "capabilities",
    /^(?:help|help me|help please|commands|usage|\?|tools|options)$|\bwhat (?:can|could) (?:you|i) (?:do|say|ask|help)\b|^what are you (?:able to|capable of|good at|good for)|^(?:what|which) (?:tools|commands|operations|functions) (?:do you|can you|are)\b|^(?:list|show)(?: me)? (?:your|all|the) (?:tools|commands|capabilities|functions)|^how (?:can|do) you help/,
  ],
  [
    "identity",
    /^(?:so |and )?(?:who|what) (?:exactly )?are you\b|^who is this|\bwhat(?:'s| is|s) your name\b|^are you (?:really )?(?:an? )?(?:real |true |large )*(?:ai|artificial|bot|robot|human|person|llm|language model|chatgpt|gpt|claude|machine|computer|assistant|alive|intelligent)\b|\b(?:which|what) (?:ai )?model (?:are you|is this|am i|do you)|^(?:tell me (?:something )?about yourself|introduce yourself|describe yourself)|^how (?:old are you|do you work|were you made)|^who (?:made|built|created|trained) you/,
  ],
  [
    "privacy",
    /\b(?:need|use|have|require)s? (?:an? |the )?(?:internet|network|online)\b|^are you (?:online|offline|local|free)\b|\bmy (?:data|messages|files|chats?)\b.*\b(?:sent|send|safe|private|shared|leave|stored|go)\b|^(?:do|will|can) you (?:send|share|upload|leak|spy|collect)\b|^(?:are you|is this) (?:safe|private|secure)/,
  ],
  [
    "opinion",
    /\bwhat do you (?:think|feel|believe|like|want)\b|\byour (?:opinion|favou?rite|view)\b|^do you (?:like|love|believe|feel|dream|think|enjoy|want|have feelings)\b|^can you (?:sing|dance|feel|dream|love|think|cook|drive|see me|hear me)\b|\bmeaning of life\b|^i love you|^(?:marry|hug) me/,
  ],
  [
    "invention",
    /^(?:can you |could you |please )*(?:tell|write|compose|sing|make up|invent|give)(?: me| us)? (?:a|an|some|another|the) (?:\w+ )?(?:joke|poem|story|song|haiku|limerick|essay|riddle|rap|tale|speech|letter|slogan|novel|verse|advice|tips?|ideas?|recipe)\b(?!.*\.\w{1,5}\b)|^recommend\b|^(?:tell|give) me something\b/,
  ],
  ["definition", /^what(?:'s| is| are) (?:an? )?[a-z]+(?: [a-z]+)?$(?<!what(?:'s| is) (?:this|that|it|new|here|up|going on|wrong))/],
  [
    "assent",
    /^(?:ok|okay|yes|yeah|yep|sure|fine|right|alright|all right|cool|nice|great|good|perfect|awesome|wow|lol|haha+|hm+|hmm+|interesting|i see|got it|understood|makes sense|exactly|true|indeed|done|agreed|very good|so so|aha|oh)(?:,? (?:then|that|it|worked|works|one|idea|to know|interesting|thanks|enough|cool|good|great|nice))*$/,
  ],
  [
    "refusal",
    /^(?:no|nope|nah|never ?mind|nevermind|forget it|cancel|stop|not now|no thanks|no thank you|don't|leave it|skip it|not really|no need|wait|hold on)(?: (?:that|it|then|please|please don't))*$/,
  ],
  [
    "praise",
    /^(?:you(?:'re| are) (?:so |very |really )?(?:great|good|nice|awesome|amazing|helpful|smart|clever|the best|wonderful|cool|funny|kind)|good (?:job|work|bot)|well done|nice (?:work|job|one)|i like you)\b.{0,20}$/,
  ],
  [
    "complaint",
    /^(?:that(?:'s| is| was)|this is|you(?:'re| are|r)) (?:so |very |completely |totally |not )?(?:wrong|bad|stupid|useless|incorrect|dumb|terrible|awful|nonsense|not true|right|what i (?:meant|wanted|asked)|annoying|broken)\b.{0,30}$|^(?:sorry|my (?:bad|fault|mistake)|i(?:'m| am) sorry|excuse me|apologies)\b.{0,20}$|^(?:wrong|nonsense|bad bot)$/,
  ],
];

export const normalised = (text: string): string =>
  plain(text)
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replace(/^[\s.,!]+|[\s.,!?;:)(]+$/g, "")
    .trim();

/** The kind of small talk a message is; undefined when it is none. */
export function talkIn(message: string): Talk | undefined {
  const text = normalised(message);
  return rules.find(([, pattern]) => pattern.test(text))?.[0];
}

/** A sentence that is only a greeting or thanks. */
export const isCourtesy = (sentence: string): boolean => courtesy.test(normalised(sentence));
