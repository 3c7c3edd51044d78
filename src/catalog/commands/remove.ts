import { changingCommand } from '#platform/command-line/changing.ts';
import type { Command } from '#platform/command-line/command.ts';
import { takeOut } from '../admin/content.ts';
import { categoryResource, faqResource, merchantResource, postResource } from '../admin/resources.ts';
import { KINDS } from '../import/kinds.ts';

const EXAMPLES = {
  merchants: 'flor-do-trigo',
  categories: 'floriculturas',
  faq: 'como-pago-uma-parcela',
  posts: 'glossario-do-credito-semanal',
};

export const removeCommands: Command[] = [merchantResource, categoryResource, faqResource, postResource].map(
  (resource) => {
    const { kind } = resource;
    const { key } = KINDS[kind];
    return changingCommand({
      name: `remove ${kind}`,
      summary: `take one of the ${kind} out of the catalog`,
      positionals: [{ name: key.toUpperCase(), help: `its ${key}, as 'export ${kind}' writes it` }],
      details:
        `Keep it first with 'export ${kind}': 'import ${kind}' writes it anew.` +
        ('listed' in KINDS[kind].fields
          ? ' To hide it for a while, import it with listed=false instead.'
          : ''),
      examples: [`semana remove ${kind} ${EXAMPLES[kind]}`],
      destroys: ({ positionals: [which] }) => `'${which}' is taken out of the ${kind}.`,
      work: ({ db, id, change }) => takeOut(db, resource, id, change),
      none: (which) => `There is no '${which}'. See 'semana export ${kind}'.`,
      done: (_was, which) => `'${which}' is taken out.`,
    });
  },
);
