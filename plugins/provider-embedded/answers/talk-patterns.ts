/** Kinds of talk that need no tool. */
export type Talk =
  | "nudge"
  | "greeting"
  | "wellbeing"
  | "thanks"
  | "goodbye"
  | "connect"
  | "capabilities"
  | "identity"
  | "privacy"
  | "opinion"
  | "invention"
  | "definition"
  | "assent"
  | "refusal"
  | "praise"
  | "complaint";

const wish =
  "how|where|can|could|help|i want|i'd like|i would like|what do i need|is it possible|show me how";
const doing = "connect|use|add|set ?up|configure|install|switch|talk|change|enable|plug|choose|select";
const source =
  "(?:language )?models?|llms?|openai|chatgpt|gpt|anthropic|claude|gemini|ollama|lm ?studio|llama|mistral|deepseek|providers?|api keys?";

/** In order: the first that fits is taken. Texts are lower-cased, without punctuation at the end. */
export const talkPatterns: readonly (readonly [Talk, RegExp])[] = [
  ["nudge", /^your last answer was empty/],
  ["nudge", /\b(?:open|unfinished|remaining|incomplete) (?:to-?dos?|items?|tasks?|steps?)\b/],
  ["nudge", /^(?:continue|go on|carry on|keep going|proceed)(?: with (?:it|the (?:task|plan|work)))?$/],

  [
    "greeting",
    /^(?:hi|hello|hey|yo|howdy|hiya|greetings|welcome)(?:,? (?:there|guide|pergola|again|everyone|all|friend|you))*$/,
  ],
  [
    "greeting",
    /^good (?:morning|afternoon|evening|day)(?:,? (?:there|guide|pergola|everyone|all|friend|to you))*$/,
  ],

  [
    "wellbeing",
    /^(?:(?:hi|hello|hey),? )?(?:there,? )?how (?:are (?:you|things)|is it going|do you do)\b.{0,30}$/,
  ],
  [
    "wellbeing",
    /^(?:how's (?:it going|life|everything)|what's up|whats up|are you (?:ok|okay|well|there))\b.{0,30}$/,
  ],

  [
    "thanks",
    /^(?:(?:ok|okay|great|nice|perfect|cool|alright|many),? )*(?:thanks|thank you|thx|ty|cheers)\b.{0,40}$/,
  ],
  ["thanks", /^(?:much appreciated|i appreciate)\b.{0,40}$/],

  [
    "goodbye",
    /^(?:ok,? )?(?:bye|bye bye|goodbye|good night|farewell|see (?:you|ya)|talk to you later|catch you later)\b.{0,25}$/,
  ],
  ["goodbye", /^have a (?:nice|good|great) (?:day|evening|weekend|night)\b/],

  ["connect", new RegExp(`^(?:${wish})\\b.{0,40}\\b(?:${doing})\\b.{0,40}\\b(?:${source})\\b`)],

  ["capabilities", /^(?:help|help me|help please|commands|usage|\?|tools|options)$/],
  [
    "capabilities",
    /\bwhat (?:can|could) (?:you|i) (?:do|say|ask|help)\b|^what are you (?:able to|capable of|good at|good for)/,
  ],
  [
    "capabilities",
    /^(?:what|which) (?:tools|commands|operations|functions) (?:do you|can you|are)\b|^how (?:can|do) you help/,
  ],
  ["capabilities", /^(?:list|show)(?: me)? (?:your|all|the) (?:tools|commands|capabilities|functions)/],

  [
    "identity",
    /^(?:so |and )?(?:who|what) (?:exactly )?are you\b(?! doing)|^who is this|\bwhat(?:'s| is|s) your name\b/,
  ],
  [
    "identity",
    /^are you (?:really )?(?:an? )?(?:real |true |large )*(?:ai|artificial|bot|robot|human|person|llm|language model)\b/,
  ],
  [
    "identity",
    /^are you (?:really )?(?:an? )?(?:chatgpt|gpt|claude|machine|computer|assistant|alive|intelligent)\b/,
  ],
  ["identity", /\b(?:which|what) (?:ai )?model (?:are you|is this|am i|do you)/],
  ["identity", /^(?:tell me (?:something )?about yourself|introduce yourself|describe yourself)/],
  ["identity", /^how (?:old are you|do you work|were you made)|^who (?:made|built|created|trained) you/],

  [
    "privacy",
    /\b(?:need|use|have|require)s? (?:an? |the )?(?:internet|network|online)\b|^are you (?:online|offline|local|free)\b/,
  ],
  ["privacy", /\bmy (?:data|messages|files|chats?)\b.*\b(?:sent|send|safe|private|shared|leave|stored|go)\b/],
  [
    "privacy",
    /^(?:do|will|can) you (?:send|share|upload|leak|spy|collect)\b|^(?:are you|is this) (?:safe|private|secure)/,
  ],

  [
    "opinion",
    /\bwhat do you (?:think|feel|believe|like|want)\b|\byour (?:opinion|favou?rite|view)\b|\bmeaning of life\b/,
  ],
  [
    "opinion",
    /^do you (?:like|love|believe|feel|dream|think|enjoy|want|have feelings)\b|^i love you|^(?:marry|hug) me/,
  ],
  ["opinion", /^can you (?:sing|dance|feel|dream|love|think|cook|drive|see me|hear me)\b/],

  [
    "invention",
    /^(?:can you |could you |please )*(?:tell|write|sing|make up|give)(?: me| us)? (?:a|an|some|another) (?:\w+ )?(?:joke|poem|story)\b/,
  ],
  [
    "invention",
    /^(?:write|compose|make up|invent)(?: me| us)? (?:a|an|some) (?:\w+ )?(?:song|haiku|limerick|essay|riddle|rap)\b(?!.*\.\w{1,5}\b)/,
  ],
  [
    "invention",
    /^(?:write|compose|give)(?: me| us)? (?:a|an|some) (?:\w+ )?(?:speech|slogan|novel|advice|tips?|ideas?|recipe)\b(?!.*\.\w{1,5}\b)/,
  ],
  ["invention", /^recommend\b|^(?:tell|give) me something\b/],

  ["definition", /^what(?:'s| is) an? [a-z-]+(?: [a-z-]+)?$/],

  [
    "assent",
    /^(?:ok|okay|yes|yeah|yep|sure|fine|right|alright|all right)(?:,? (?:then|that|it|good|great|thanks|enough))*$/,
  ],
  [
    "assent",
    /^(?:cool|nice|great|good|perfect|awesome|wow|very good)(?:,? (?:that|it|worked|works|one|idea|to know|thanks))*$/,
  ],
  [
    "assent",
    /^(?:lol|haha+|hm+|interesting|i see|got it|understood|makes sense|exactly|true|indeed|agreed|aha|oh)(?: interesting| cool)*$/,
  ],

  [
    "refusal",
    /^(?:no|nope|nah|never ?mind|nevermind|forget it|cancel|stop|not now|don't)(?: (?:that|it|then|please|please don't))*$/,
  ],
  ["refusal", /^(?:no thanks|no thank you|leave it|skip it|not really|no need|wait|hold on)$/],

  [
    "praise",
    /^you(?:'re| are) (?:so |very |really )?(?:great|good|nice|awesome|amazing|helpful|smart|clever|the best|wonderful|kind)\b.{0,20}$/,
  ],
  ["praise", /^(?:good (?:job|work|bot)|well done|nice (?:work|job|one)|i like you)\b.{0,20}$/],

  [
    "complaint",
    /^(?:that(?:'s| is| was)|this is) (?:so |very |completely |not )?(?:wrong|bad|incorrect|terrible|nonsense|right|true)\b.{0,30}$/,
  ],
  [
    "complaint",
    /^(?:that(?:'s| is| was)|this is) not what i (?:meant|wanted|asked)\b.{0,30}$|^(?:wrong|nonsense|bad bot)$/,
  ],
  [
    "complaint",
    /^you(?:'re| are|r) (?:so |very |completely |totally |not )?(?:wrong|bad|stupid|useless|dumb|awful|annoying|broken)\b.{0,30}$/,
  ],
  ["complaint", /^(?:sorry|my (?:bad|fault|mistake)|i(?:'m| am) sorry|excuse me|apologies)\b.{0,20}$/],
];
