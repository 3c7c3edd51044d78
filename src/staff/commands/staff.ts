import { day } from '#platform/command-line/cells.ts';
import { changeRecorded, changingCommand } from '#platform/command-line/changing.ts';
import { type Command, CommandFault, UsageFault } from '#platform/command-line/command.ts';
import { tableCommand } from '#platform/command-line/reading.ts';
import { readText } from '#platform/command-line/values.ts';
import { ROLES, type Role } from '#platform/http/access.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { addMember, changeMember, memberSubject, removeMember, renderMember } from '../members.ts';
import type { StaffSettings } from '../settings.ts';
import { invite } from '../sign-in/invite.ts';
import { listMembers } from '../store.ts';

const PERSON = { name: 'ID', help: 'id of the person, see staff list' };
const EVERYBODY = { offset: 0, limit: 10_000 };

const staffAdd = (settings: () => StaffSettings): Command => ({
  name: 'staff add',
  summary: 'let a person in at the staff door; their key is shown once',
  options: {
    name: { value: 'TEXT', help: 'what they are called', required: true },
    role: { value: 'ROLE', help: ROLES.join(', '), required: true },
  },
  details: 'The key goes to standard output. A new installation needs an admin first.',
  examples: ['semana staff add --name "Marina Duarte" --role admin'],
  async run(context, args) {
    const { db, config, print, printError } = context;
    const wishes = { name: readText(args, 'name', 120), role: readRole(args.required('role')) };
    const change = changeByCommand(context, 'staff add');
    const staff = { mode: config.mode, vault: db.vault, ...settings() };
    const { key, invite_url, ...member } = await db.transaction((tx) => addMember(tx, wishes, staff, change));
    printError(
      `${member.name} is in as ${member.role}, id ${member.id}. Keep the key now: it is not shown again.`,
    );
    printError(`They sign in at the back office with ${invite_url} (once, for 48 hours).`);
    print(key);
  },
});

const staffList = tableCommand({
  name: 'staff list',
  summary: 'show the people at the staff door and their roles',
  options: { removed: { help: 'those too who were removed' } },
  async read({ db }, args) {
    const { rows } = await listMembers(db, { removed: args.has('removed'), ...EVERYBODY });
    return { records: rows.map(renderMember) };
  },
  columns: { ID: 'id', NAME: 'name', ROLE: 'role', SINCE: day('created_at'), REMOVED: day('removed_at') },
  none: `Nobody. Let the first admin in with 'semana staff add --name NAME --role admin'.`,
});

const staffRole = changingCommand({
  name: 'staff role',
  summary: 'give a person another role',
  positionals: [PERSON, { name: 'ROLE', help: ROLES.join(', ') }],
  examples: ['semana staff role stf_01kfx3v9e2r4s6t8w0y2a4c6e8 finance'],
  work(context, args) {
    const role = readRole(args.positionals[1]);
    return changeRecorded(context, memberSubject, (tx, before) => changeMember(tx, before, { role }));
  },
  none: noPerson,
  done: ({ name, role }) => `${name} is ${role} now.`,
});

const staffRemove = changingCommand({
  name: 'staff remove',
  summary: 'let a person in no more; their keys end now',
  positionals: [PERSON],
  destroys: ({ positionals: [id] }) => `The keys of ${id} end for good, now.`,
  work: (context) =>
    changeRecorded(context, memberSubject, (tx, before) => removeMember(tx, before, context.change.now)),
  none: noPerson,
  done: ({ name }) => `${name} is out.`,
});

const staffReset = (settings: () => StaffSettings) =>
  changingCommand({
    name: 'staff reset',
    summary: 'invite a person to the back office again: for who lost password or second factor',
    positionals: [PERSON],
    details:
      'Password, second factors and sessions of before no longer count; keys stay. The address goes to standard output, and works once, for 48 hours.',
    examples: ['semana staff reset stf_01kfx3v9e2r4s6t8w0y2a4c6e8'],
    async work(context) {
      const { db, change, printError } = context;
      let url: string | undefined;
      const member = await changeRecorded(context, memberSubject, async (tx, { id, removed_at }) => {
        if (removed_at !== null) throw new CommandFault(`${id} was removed.`);
        url = (await invite(tx, { vault: db.vault, ...settings() }, id, change.now)).invite_url;
      });
      if (member) printError(`${member.name} signs in anew. What they had so far no longer counts.`);
      return url;
    },
    none: noPerson,
    done: (url) => url,
  });

export const staffCommands = (settings: () => StaffSettings): Command[] => [
  staffAdd(settings),
  staffList,
  staffRole,
  staffRemove,
  staffReset(settings),
];

function noPerson(id: string): string {
  return `There is no person ${id}. See 'semana staff list'.`;
}

function readRole(text: string | undefined): Role {
  const role = ROLES.find((one) => one === text);
  if (!role) throw new UsageFault(`The role is one of ${ROLES.join(', ')}.`);
  return role;
}
