import PDFDocument from 'pdfkit';
import type { DocumentContent } from './document.ts';

const PAGE_MARGIN = 56;
const FOOTER_HEIGHT = 30;
const MIN_SPACE_BELOW_HEADING = 90;
const CELL_PADDING = 4;
const FOOTER_COLOUR = '#5a5a5a';
const LINE_COLOUR = '#c8c8c8';

/** Draws an accessible A4 document in Portuguese, whose text can be searched, copied and read aloud. */
export function drawDocument({ title, createdAt, blocks, footer }: DocumentContent): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: PAGE_MARGIN, left: PAGE_MARGIN, right: PAGE_MARGIN, bottom: PAGE_MARGIN + FOOTER_HEIGHT },
    bufferPages: true,
    tagged: true,
    displayTitle: true,
    lang: 'pt-BR',
    pdfVersion: '1.7',
    font: '', // no default font: addStandardFonts adds the fonts
    info: { Title: toFontCharacters(title), Author: 'Semana', CreationDate: createdAt, ModDate: createdAt },
  });
  addStandardFonts(doc);
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const pdfPromise = new Promise<Buffer>((resolve, reject) => {
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  const root = doc.struct('Document');
  doc.addStructure(root);
  const addStructure = (tag: string, draw: () => void) => root.add(doc.struct(tag, {}, [draw]));
  addStructure('H1', () => doc.font('Helvetica-Bold').fontSize(18).text(toFontCharacters(title)));
  doc.moveDown(0.6);
  for (const block of blocks) {
    if ('heading' in block) {
      // A heading must not be separated from its text by a page break.
      if (doc.y > doc.page.height - doc.page.margins.bottom - MIN_SPACE_BELOW_HEADING) doc.addPage();
      doc.moveDown(0.6);
      addStructure('H2', () => doc.font('Helvetica-Bold').fontSize(12).text(toFontCharacters(block.heading)));
      doc.moveDown(0.3);
    } else if ('text' in block) {
      addStructure('P', () =>
        doc.font('Helvetica').fontSize(10).text(toFontCharacters(block.text), { lineGap: 2 }),
      );
      doc.moveDown(0.4);
    } else if ('facts' in block) {
      for (const [label, value] of block.facts)
        addStructure('P', () => {
          doc.font('Helvetica-Bold').fontSize(10);
          doc.text(`${toFontCharacters(label)}: `, { continued: true, lineGap: 2 });
          doc.font('Helvetica').text(toFontCharacters(value), { lineGap: 2 });
        });
      doc.moveDown(0.4);
    } else {
      drawTable(doc, root, [block.head, ...block.rows]);
      doc.moveDown(0.6);
      doc.x = PAGE_MARGIN; // drawing a table leaves it at the last column
    }
  }
  root.end();
  writeFooters(doc, toFontCharacters(footer));
  doc.end();
  return pdfPromise;
}

/** Draws columns of equal width; the first row is the heading. The library's own tables take more than twice as long. */
function drawTable(
  doc: PDFKit.PDFDocument,
  parent: PDFKit.PDFStructureElement,
  rows: ReadonlyArray<readonly string[]>,
): void {
  const table = doc.struct('Table');
  // Content is drawn immediately only if the table has a parent.
  parent.add(table);
  const columnWidth = (doc.page.width - 2 * PAGE_MARGIN) / rows[0]!.length;
  const cellOptions = { width: columnWidth - 2 * CELL_PADDING };
  doc.fontSize(9);
  for (const [i, cells] of rows.entries()) {
    doc.font(i === 0 ? 'Helvetica-Bold' : 'Helvetica');
    const texts = cells.map(toFontCharacters);
    const rowHeight =
      Math.max(...texts.map((text) => measureHeight(doc, text, cellOptions))) + 2 * CELL_PADDING;
    if (doc.y + rowHeight > doc.page.height - doc.page.margins.bottom) doc.addPage();
    const top = doc.y;
    const row = doc.struct('TR');
    table.add(row);
    for (const [column, text] of texts.entries()) {
      const draw = () =>
        doc.text(text, PAGE_MARGIN + column * columnWidth + CELL_PADDING, top + CELL_PADDING, cellOptions);
      row.add(doc.struct(i === 0 ? 'TH' : 'TD', {}, [draw]));
    }
    doc.markContent('Artifact', { type: 'Layout' });
    doc
      .lineWidth(0.5)
      .strokeColor(LINE_COLOUR)
      .moveTo(PAGE_MARGIN, top + rowHeight);
    doc.lineTo(doc.page.width - PAGE_MARGIN, top + rowHeight).stroke();
    doc.endMarkedContent();
    doc.y = top + rowHeight;
  }
}

/** Returns the height of a text. Skips the slow layout of a text that fits in one line. */
const measureHeight = (doc: PDFKit.PDFDocument, text: string, options: { width: number }): number =>
  doc.widthOfString(text) < options.width && !text.includes('\n')
    ? doc.currentLineHeight(true)
    : doc.heightOfString(text, options);

function writeFooters(doc: PDFKit.PDFDocument, footer: string): void {
  const { count } = doc.bufferedPageRange();
  for (let i = 0; i < count; i++) {
    doc.switchToPage(i);
    const { width, height, margins } = doc.page;
    // The bottom margin is removed, because writing below it would start another page.
    margins.bottom = 0;
    const footerOptions = { width: width - 2 * PAGE_MARGIN, align: 'center' as const };
    doc.markContent('Artifact', { type: 'Pagination' });
    doc.font('Helvetica').fontSize(8).fillColor(FOOTER_COLOUR);
    doc.text(`${footer}\nPágina ${i + 1} de ${count}`, PAGE_MARGIN, height - PAGE_MARGIN - 6, footerOptions);
    doc.endMarkedContent();
  }
}

const LATIN_1 = /^[\n\u0020-\u007e\u00a0-\u00ff]*$/;
/** Characters beyond Latin-1 that the fonts contain. */
const EXTRA_CHARACTERS = new Set('“”‘’–—…•€™');

/** Replaces characters that the standard fonts lack with their base letter, or removes them. */
function toFontCharacters(text: string): string {
  if (LATIN_1.test(text)) return text;
  const isSupported = (character: string) => LATIN_1.test(character) || EXTRA_CHARACTERS.has(character);
  return [...text.normalize('NFC')]
    .flatMap((character) =>
      isSupported(character) ? character : [...character.normalize('NFKD')].filter(isSupported),
    )
    .join('');
}

/** A font of a pdfkit document: its parsed metrics, and the state of its embedding in the document. */
type Font = { document: unknown; id: string };
type Fonts = { _fontFamilies: Record<string, Font>; _fontCount: number };

const FONT_NAMES = ['Helvetica', 'Helvetica-Bold'] as const;
const parsedFonts = new Map<string, Font>();

/** Adds fonts that are parsed only once: pdfkit parses them for each document, a seventh of the time of a page. The document must have `font: ''`. */
function addStandardFonts(document: PDFKit.PDFDocument): void {
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
