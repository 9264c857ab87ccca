declare module "turndown/lib/turndown.browser.es.js" {
  export { default } from "turndown";
}
