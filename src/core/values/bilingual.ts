export type Bilingual = { readonly en: string; readonly pt: string };
