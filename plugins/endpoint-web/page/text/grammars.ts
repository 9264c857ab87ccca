/** The languages that code in chats is written in; code in any other one is shown plain. */
export { default as bash } from "highlight.js/lib/languages/bash";
export { default as c } from "highlight.js/lib/languages/c";
export { default as cpp } from "highlight.js/lib/languages/cpp";
export { default as css } from "highlight.js/lib/languages/css";
export { default as diff } from "highlight.js/lib/languages/diff";
export { default as go } from "highlight.js/lib/languages/go";
export { default as java } from "highlight.js/lib/languages/java";
export { default as javascript } from "highlight.js/lib/languages/javascript";
export { default as json } from "highlight.js/lib/languages/json";
export { default as markdown } from "highlight.js/lib/languages/markdown";
export { default as python } from "highlight.js/lib/languages/python";
export { default as rust } from "highlight.js/lib/languages/rust";
export { default as sql } from "highlight.js/lib/languages/sql";
export { default as typescript } from "highlight.js/lib/languages/typescript";
export { default as xml } from "highlight.js/lib/languages/xml";
export { default as yaml } from "highlight.js/lib/languages/yaml";
