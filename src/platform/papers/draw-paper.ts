import PDFDocument from 'pdfkit';
import type { Paper } from './paper.ts';

const MARGIN = 56;
const ROOM_BELOW_HEADING = 90;
/** Around the text of a cell. */
const PADDING = 4;
const GREY = '#5a5a5a';
const LINE = '#c8c8c8';

/** A4, tagged, in Portuguese. Its text can be searched, copied and read out. */
export function drawPaper({ title, at, blocks, footer }: Paper): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + 30 },
    bufferPages: true,
    tagged: true,
    displayTitle: true,
    lang: 'pt-BR',
    pdfVersion: '1.7',
    info: { Title: plain(title), Author: 'Semana', CreationDate: at, ModDate: at },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<Buffer>((resolve, reject) => {
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  const root = doc.struct('Document');
  doc.addStructure(root);
  const put = (tag: string, draw: () => void) => root.add(doc.struct(tag, {}, [draw]));
  put('H1', () => doc.font('Helvetica-Bold').fontSize(18).text(plain(title)));
  doc.moveDown(0.6);
  for (const block of blocks) {
    if ('heading' in block) {
      // A heading stands on the page of what it is about.
      if (doc.y > doc.page.height - doc.page.margins.bottom - ROOM_BELOW_HEADING) doc.addPage();
      doc.moveDown(0.6);
      put('H2', () => doc.font('Helvetica-Bold').fontSize(12).text(plain(block.heading)));
      doc.moveDown(0.3);
    } else if ('text' in block) {
      put('P', () => doc.font('Helvetica').fontSize(10).text(plain(block.text), { lineGap: 2 }));
      doc.moveDown(0.4);
    } else if ('facts' in block) {
      for (const [label, value] of block.facts)
        put('P', () => {
          doc
            .font('Helvetica-Bold')
            .fontSize(10)
            .text(`${plain(label)}: `, { continued: true, lineGap: 2 });
          doc.font('Helvetica').text(plain(value), { lineGap: 2 });
        });
      doc.moveDown(0.4);
    } else {
      drawTable(doc, root, [block.head, ...block.rows]);
      doc.moveDown(0.6);
      doc.x = MARGIN;
    }
  }
  root.end();
  writeFooters(doc, plain(footer));
  doc.end();
  return ended;
}

/** Columns of one width; the first row is the head. By hand: the library's own tables take more than twice as long. */
function drawTable(
  doc: PDFKit.PDFDocument,
  parent: PDFKit.PDFStructureElement,
  rows: ReadonlyArray<readonly string[]>,
): void {
  const table = doc.struct('Table');
  // What is added to it is drawn at once only if it has a parent.
  parent.add(table);
  const wide = (doc.page.width - 2 * MARGIN) / rows[0]!.length;
  const options = { width: wide - 2 * PADDING };
  doc.fontSize(9);
  for (const [i, cells] of rows.entries()) {
    doc.font(i === 0 ? 'Helvetica-Bold' : 'Helvetica');
    const texts = cells.map(plain);
    const high = Math.max(...texts.map((text) => heightOf(doc, text, options))) + 2 * PADDING;
    if (doc.y + high > doc.page.height - doc.page.margins.bottom) doc.addPage();
    const top = doc.y;
    const row = doc.struct('TR');
    table.add(row);
    for (const [column, text] of texts.entries()) {
      const draw = () => doc.text(text, MARGIN + column * wide + PADDING, top + PADDING, options);
      row.add(doc.struct(i === 0 ? 'TH' : 'TD', {}, [draw]));
    }
    doc.markContent('Artifact', { type: 'Layout' });
    doc.lineWidth(0.5).strokeColor(LINE);
    doc
      .moveTo(MARGIN, top + high)
      .lineTo(doc.page.width - MARGIN, top + high)
      .stroke();
    doc.endMarkedContent();
    doc.y = top + high;
  }
}

/** Of a text that fits into one line it is known without setting it. */
const heightOf = (doc: PDFKit.PDFDocument, text: string, options: { width: number }): number =>
  doc.widthOfString(text) < options.width && !text.includes('\n')
    ? doc.currentLineHeight(true)
    : doc.heightOfString(text, options);

function writeFooters(doc: PDFKit.PDFDocument, footer: string): void {
  const { count } = doc.bufferedPageRange();
  for (let i = 0; i < count; i++) {
    doc.switchToPage(i);
    const { width, height, margins } = doc.page;
    // Below the margin of the text, where writing would otherwise begin another page.
    margins.bottom = 0;
    const options = { width: width - 2 * MARGIN, align: 'center' as const };
    doc.markContent('Artifact', { type: 'Pagination' });
    doc.font('Helvetica').fontSize(8).fillColor(GREY);
    doc.text(`${footer}\nPágina ${i + 1} de ${count}`, MARGIN, height - MARGIN - 6, options);
    doc.endMarkedContent();
  }
}

const LATIN_1 = /^[\n\u0020-\u007e\u00a0-\u00ff]*$/;
/** Beyond Latin-1, what the fonts have: quotes, dashes, ellipsis, bullet, euro. */
const ALSO = new Set('“”‘’–—…•€™');

/** A character that the standard fonts lack becomes its plain letter, or is removed. */
function plain(text: string): string {
  if (LATIN_1.test(text)) return text;
  const known = (character: string) => LATIN_1.test(character) || ALSO.has(character);
  return [...text.normalize('NFC')]
    .flatMap((one) => (known(one) ? one : [...one.normalize('NFKD')].filter(known)))
    .join('');
}
