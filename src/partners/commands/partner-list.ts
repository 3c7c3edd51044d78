import { type Command, table } from '#platform/command.ts';
import { listPartners } from '../store.ts';

export const partnerList: Command = {
  name: 'partner list',
  summary: 'show all partners',
  options: { json: { help: 'one JSON object a line, for scripts' } },
  async run({ db, print }, args) {
    const partners = await listPartners(db);
    if (args.has('json')) {
      for (const partner of partners) print(JSON.stringify(partner));
    } else if (partners.length === 0) {
      print(`No partners yet. Create one with 'semana partner create NAME'.`);
    } else {
      print(
        table(
          ['ID', 'NAME', 'KEYS', 'SINCE'],
          partners.map((p) => [p.id, p.name, String(p.keys), p.created_at.toISOString().slice(0, 10)]),
        ),
      );
    }
    return undefined;
  },
};
