import type PDFDocument from 'pdfkit';

/** A font of a pdfkit document: its parsed metrics, and the state of its embedding in the document. */
type Font = { document: unknown; id: string };
type Fonts = { _fontFamilies: Record<string, Font>; _fontCount: number };

const FONT_NAMES = ['Helvetica', 'Helvetica-Bold'] as const;
const parsedFonts = new Map<string, Font>();

/** Adds fonts that are parsed only once: pdfkit parses them for each document, a seventh of the time of a page. The document must have `font: ''`. */
export function addStandardFonts(document: InstanceType<typeof PDFDocument>): void {
  const fonts = document as unknown as Fonts;
  for (const name of FONT_NAMES) {
    const parsedFont = parsedFonts.get(name);
    if (parsedFont) {
      fonts._fontCount += 1;
      fonts._fontFamilies[name] = copyFont(parsedFont, { document, id: `F${fonts._fontCount}` });
    } else {
      document.font(name);
      parsedFonts.set(name, copyFont(fonts._fontFamilies[name]!, { document: undefined, id: '' }));
    }
  }
}

const copyFont = (font: Font, changes: Font): Font =>
  Object.assign(Object.create(Object.getPrototypeOf(font)), font, changes);
