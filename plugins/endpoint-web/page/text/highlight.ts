import { common, createLowlight } from "lowlight";
import type { ComponentChildren } from "preact";
import { h } from "preact";

const lowlight = createLowlight(common);

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
