/** A text that callers read, in the two languages they may ask for. */
export type Bilingual = { readonly en: string; readonly pt: string };
