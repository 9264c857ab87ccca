import { words } from "./words.ts";

/** Frequent words of German, French, Spanish, Italian, Portuguese and Dutch that are no English words. */
const foreign = words(
  "der das ein eine ist sind ich du wir ihr und oder nicht kein keine wie wo warum wann wer",
  "kannst können bitte zeige zeig mir mich meine meinen mein deine für von mit auf aus zum zur wird werden",
  "heute morgen gestern wetter datei dateien ordner suche lies öffne lösche schreibe erstelle rechne merke",
  "le les une des du est sont je tu il elle nous vous que qui quoi quel quelle où comment peux peut",
  "avec dans sur pour mon mes fichier fichiers dossier montre donne cherche bonjour merci aujourd'hui demain",
  "el los las uno una es son yo tú qué quién cuál dónde cuándo cómo puedes puede con para por mi mis",
  "archivo archivos carpeta muestra busca hola gracias hoy mañana tiempo borra escribe",
  "gli che chi cosa dove quando puoi può sono sei questo nel della ciao grazie oggi domani",
  "os um uma você são não está onde quando pode com arquivo pasta olá obrigado hoje amanhã",
  "het een van niet geen wat waar waarom hoe jij kun kunt mijn bestand bestanden map vandaag alsjeblieft",
);
/** Words that only an English sentence has. */
const english = words(
  "the this that is are was were what where when why how who which and or not my your his her their our",
  "a an of for with from into please show me give tell find read write list delete create make run open",
  "i you he she we they it can could would should do does did have has",
);

/** Whether a sentence is plainly written in another language than English. */
export function isOtherLanguage(text: string): boolean {
  const found = new Set(text.toLowerCase().match(/\p{L}[\p{L}']*/gu) ?? []);
  const count = (list: ReadonlySet<string>): number => [...found].filter((word) => list.has(word)).length;
  return count(foreign) >= 2 && count(foreign) > count(english);
}
