import { diffWordsWithSpace } from "diff";
import type { ComponentChildren } from "preact";
import type { Diff, Hunk, PreviewDiff } from "../link/index.ts";
import { Fold, From } from "../parts/index.ts";
import { visible } from "../text/format.ts";

/** A path with what a command or a folder is: never cut, never hidden. */
export const Path = ({ path }: { readonly path: string }) => <code class="path">{visible(path)}</code>;

type Line = Readonly<{ sign: string; text: string; before: number | undefined; after: number | undefined }>;

function numbered({ oldStart, newStart, lines }: Hunk): readonly Line[] {
  let [before, after] = [oldStart, newStart];
  return lines.map(([sign = " ", ...rest]) => ({
    sign,
    text: rest.join(""),
    before: /[ -]/.test(sign) ? before++ : undefined,
    after: /[ +]/.test(sign) ? after++ : undefined,
  }));
}

/** The line that took the place of another: a single removed one is followed by a single added one. */
function partnerOf(lines: readonly Line[], index: number): Line | undefined {
  const signs = lines.map(({ sign }) => sign);
  const first = signs[index] === "+" ? index - 1 : index;
  const around = [first - 1, first, first + 1, first + 2].map((at) => signs[at] ?? " ");
  return /^[^-]-\+[^+]$/.test(around.join("")) ? lines[first + first + 1 - index] : undefined;
}

/** The text of a line, with the words marked that the line in its place has not. */
function drawText({ text }: Line, partner: Line | undefined): ComponentChildren {
  // What has little in common is not looked through to the end.
  const pieces = partner && diffWordsWithSpace(partner.text, text, { maxEditLength: 100 });
  const own = pieces?.filter(({ removed }) => !removed) ?? [{ value: text, added: false }];
  return own.map(({ value, added }) => (added ? <mark>{visible(value)}</mark> : visible(value)));
}

const signs: Readonly<Record<string, string>> = { "+": "added", "-": "removed" };

function Row({ line, partner }: { readonly line: Line; readonly partner: Line | undefined }) {
  const name = signs[line.sign];
  return (
    <tr class={name}>
      <td class="line-number">{line.before}</td>
      <td class="line-number">{line.after}</td>
      <td class="sign">
        <span aria-hidden="true">{line.sign === " " ? "" : line.sign}</span>
        {name !== undefined && <span class="hidden">{`${name}, line ${line.before ?? line.after}: `}</span>}
      </td>
      <td class="line-text">{drawText(line, partner)}</td>
    </tr>
  );
}

export function DiffTable({ diff }: { readonly diff: Diff }) {
  if (diff.binary) return <p class="faint">A file that is no text.</p>;
  return (
    <div class="diff" data-key="d" tabIndex={0} role="region" aria-label="Changes">
      <table>
        {(diff.hunks ?? []).map((hunk, at) => {
          const lines = numbered(hunk);
          return (
            <tbody>
              {at > 0 && <tr class="faint" children={<td colSpan={4}>⋯</td>} />}
              {lines.map((line, index) => (
                <Row line={line} partner={partnerOf(lines, index)} />
              ))}
            </tbody>
          );
        })}
      </table>
      {diff.truncated && <p class="faint">There is more than is shown here.</p>}
    </div>
  );
}

export const DiffFrom = ({ path }: { readonly path: string }) => (
  <From<PreviewDiff> path={path}>{({ diff, reason }) => [diff && <DiffTable diff={diff} />, reason]}</From>
);

/** The same of the whole file, once somebody wants to see that. */
export const WholeFile = ({ path }: { readonly path: string }) => (
  <Fold look="faint" name="Whole file" children={<DiffFrom path={path} />} />
);
