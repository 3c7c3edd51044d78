import { readFile } from 'node:fs/promises';
import { day } from '#platform/command-line/cells.ts';
import { changingCommand } from '#platform/command-line/changing.ts';
import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { tableCommand } from '#platform/command-line/reading.ts';
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

const mediaList = tableCommand({
  name: 'media list',
  summary: 'show pictures that were uploaded, newest first',
  options: { unused: { help: 'only those that nothing shows' } },
  async read({ db }, args) {
    const { total, rows } = await listMedia(db, { unused: args.has('unused') }, { offset: 0, limit: 1_000 });
    return { records: rows.map(renderMedia), note: `${rows.length} of ${total}.` };
  },
  columns: {
    NAME: 'name',
    TYPE: 'type',
    BYTES: 'size',
    PIXELS: ({ width, height }) => (width === null ? '-' : `${width}×${height}`),
    USES: 'uses',
    UPLOADED: day('uploaded_at'),
  },
  none: 'No pictures.',
});

const mediaRemove = changingCommand({
  name: 'media remove',
  summary: 'delete a picture that nothing shows',
  positionals: [{ name: 'NAME', help: "as in 'media list'" }],
  destroys: ({ positionals: [name] }) => `The picture ${name} is lost, unless you have it elsewhere.`,
  work: ({ db, id: name, change }) => db.transaction((tx) => removeMedia(tx, name, change)),
  none: () => `There is no such picture. See 'semana media list'.`,
  done: ({ name }) => `${name} is deleted.`,
});

export const mediaCommands: Command[] = [mediaAdd, mediaList, mediaRemove];
