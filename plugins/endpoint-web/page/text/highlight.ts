import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";
import type { ComponentChildren } from "preact";
import { h } from "preact";

const lowlight = createLowlight({
  ...{ bash, css, diff, go, java, javascript, json },
  ...{ python, rust, sql, typescript, xml, yaml },
});

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: readonly string[] };
  readonly children?: readonly Node[];
}

function draw(node: Node): ComponentChildren {
  if (node.type === "text") return node.value;
  const children = node.children?.map(draw);
  return node.type === "root"
    ? children
    : h("span", { class: node.properties?.className?.join(" ") }, children);
}

/** The code with its words marked; as it is in a language that is not known. */
export const highlight = (code: string, language: string): ComponentChildren =>
  lowlight.registered(language) ? draw(lowlight.highlight(language, code)) : code;
