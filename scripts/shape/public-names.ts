import path from "node:path";
import ts from "typescript";
import { compareText } from "@pergola/sdk";
import { root } from "./product.ts";

/** A name that an entry of a package exports. */
interface PublicName {
  readonly name: string;
  readonly kind: string;
  /** The text of its doc comment; empty where there is none. */
  readonly documentation: string;
}

const kinds: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [ts.SyntaxKind.ClassDeclaration]: "class",
  [ts.SyntaxKind.FunctionDeclaration]: "function",
  [ts.SyntaxKind.InterfaceDeclaration]: "interface",
  [ts.SyntaxKind.TypeAliasDeclaration]: "type",
  [ts.SyntaxKind.VariableDeclaration]: "const",
};

/** The names that an entry of a package exports, types included, in order. */
export function publicNames(entry: string): readonly PublicName[] {
  const config = ts.readConfigFile(path.join(root, "tsconfig.json"), (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const program = ts.createProgram([path.join(root, entry)], options);
  const source = program.getSourceFile(path.join(root, entry));
  const checker = program.getTypeChecker();
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${entry} exports nothing.`);
  const describe = (exported: ts.Symbol): PublicName => {
    const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
    const declaration = symbol.declarations?.[0]?.kind ?? ts.SyntaxKind.Unknown;
    const comment = symbol.getDocumentationComment(checker);
    return {
      name: exported.name,
      kind: kinds[declaration] ?? ts.SyntaxKind[declaration],
      documentation: ts.displayPartsToString(comment),
    };
  };
  return checker
    .getExportsOfModule(module)
    .map(describe)
    .toSorted((a, b) => compareText(a.name, b.name));
}
