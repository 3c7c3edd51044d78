/** A text for callers in both supported languages. */
export type Bilingual = { readonly en: string; readonly pt: string };
