import PDFDocument from 'pdfkit';

export type Block =
  | { readonly heading: string }
  | { readonly text: string }
  /** Labels and values. */
  | { readonly facts: ReadonlyArray<readonly [label: string, value: string]> }
  | { readonly head: readonly string[]; readonly rows: ReadonlyArray<readonly string[]> };

export type Paper = {
  readonly title: string;
  /** When what it says was fixed. The same paper of the same instant has the same bytes. */
  readonly at: Date;
  readonly blocks: readonly Block[];
  readonly footer: string;
};

const MARGIN = 56;
const ROOM_BELOW_HEADING = 90;
const GREY = '#5a5a5a';
const LINE = '#c8c8c8';

/** A4, tagged, in Portuguese. Its text can be searched, copied and read out. */
export function renderPaper({ title, at, blocks, footer }: Paper): Promise<Buffer> {
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
      const table = doc.struct('Table');
      root.add(table);
      doc.font('Helvetica').fontSize(9);
      doc.table({
        structParent: table,
        defaultStyle: { border: { bottom: 0.5 }, borderColor: LINE, padding: 4 },
        rowStyles: (i: number) => (i === 0 ? { font: { src: 'Helvetica-Bold', size: 9 } } : {}),
        data: [
          block.head.map((text) => ({ type: 'TH' as const, text: plain(text) })),
          ...block.rows.map((row) => row.map((text) => plain(text))),
        ],
      } as never);
      doc.moveDown(0.6);
      doc.x = MARGIN;
    }
  }
  root.end();
  writeFooters(doc, plain(footer));
  doc.end();
  return ended;
}

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

/** Beyond Latin-1, what the fonts have: quotes, dashes, ellipsis, bullet, euro. */
const ALSO = new Set('“”‘’–—…•€™');

/** What the standard fonts cannot write goes to its plain letter, or away. */
function plain(text: string): string {
  const known = (character: string) =>
    /^[\n\u0020-\u007e\u00a0-\u00ff]$/.test(character) || ALSO.has(character);
  return [...text.normalize('NFC')]
    .flatMap((one) => (known(one) ? one : [...one.normalize('NFKD')].filter(known)))
    .join('');
}
