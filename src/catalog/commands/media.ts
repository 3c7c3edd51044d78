import { readFile } from 'node:fs/promises';
import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { destructiveCommand } from '#platform/command-line/confirmation.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { shownDay } from '#platform/command-line/times.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { addMedia, removeMedia, renderMedia } from '../media/media.ts';
import { listMedia } from '../media/store.ts';

const mediaAdd: Command = {
  name: 'media add',
  summary: 'upload a picture',
  positionals: [{ name: 'FILE', help: 'PNG, JPEG, WebP or SVG, at most 2 MiB and 4096 by 4096 pixels' }],
  details:
    'What it is is told by what is in it. Its path goes to standard output, for the column logo_url or cover_url of an import. The same\n' +
    'picture again is the same path.',
  examples: ['semana media add flor.png'],
  async run(context, { positionals }) {
    const path = positionals[0]!;
    const bytes = await readFile(path).catch((error: Error) => {
      throw new CommandFault(`'${path}' cannot be read: ${error.message}.`);
    });
    const change = changeByCommand(context, 'media add');
    const { file, isNew } = await context.db.transaction((tx) => addMedia(tx, bytes, change));
    context.printError(isNew ? `Uploaded, ${file.size} bytes.` : 'It was there already.');
    context.print(file.url);
  },
};

const mediaList = readingCommand({
  name: 'media list',
  summary: 'show pictures that were uploaded, newest first',
  options: { unused: { help: 'only those that nothing shows' } },
  async read({ db }, args) {
    const { total, rows } = await listMedia(db, { unused: args.has('unused') }, { offset: 0, limit: 1_000 });
    const records = rows.map(renderMedia);
    const text = tableOf(
      records,
      {
        NAME: ({ name }) => name,
        TYPE: ({ type }) => type,
        BYTES: ({ size }) => String(size),
        PIXELS: ({ width, height }) => (width === null ? '-' : `${width}×${height}`),
        USES: ({ uses }) => String(uses),
        UPLOADED: ({ uploaded_at }) => shownDay(uploaded_at),
      },
      'No pictures.',
    );
    return { records, text, note: `${records.length} of ${total}.` };
  },
});

const mediaRemove = destructiveCommand({
  name: 'media remove',
  summary: 'delete a picture that nothing shows',
  positionals: [{ name: 'NAME', help: "as in 'media list'" }],
  destroys: ({ positionals: [name] }) => `The picture ${name} is lost, unless you have it elsewhere.`,
  async run(context, { positionals }) {
    const change = changeByCommand(context, 'media remove');
    const removed = await context.db.transaction((tx) => removeMedia(tx, positionals[0]!, change));
    if (!removed) throw new CommandFault(`There is no such picture. See 'semana media list'.`);
    context.print(`${removed.name} is deleted.`);
  },
});

export const mediaCommands: Command[] = [mediaAdd, mediaList, mediaRemove];
