import { Tokenizer } from "htmlparser2";

interface TokenSink {
  open?(name: string): void;
  close?(name: string): void;
  attribute?(): void;
  text?(text: string): void;
}

const nothing = (): void => undefined;

/**
 * Walks over the tags and texts of HTML in one pass, in time linear in its length, whatever it holds;
 * entities are decoded.
 */
export function eachToken(html: string, sink: TokenSink): void {
  let opened = "";
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        opened = html.slice(start, end).toLowerCase();
        sink.open?.(opened);
      },
      onselfclosingtag: () => sink.close?.(opened),
      onclosetag: (start, end) => sink.close?.(html.slice(start, end).toLowerCase()),
      ontext: (start, end) => sink.text?.(html.slice(start, end)),
      ontextentity: (point) => sink.text?.(String.fromCodePoint(point)),
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: () => sink.attribute?.(),
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onopentagend: nothing,
      onprocessinginstruction: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}
