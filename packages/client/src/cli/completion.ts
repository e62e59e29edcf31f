import type { Command } from 'commander';
import { Argument } from 'commander';

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options: source <(sealpush completion bash)')
    .addArgument(new Argument('<shell>').choices(Object.keys(SHELLS)))
    .action((shell: keyof typeof SHELLS) => {
      process.stdout.write(SHELLS[shell](program));
    });
}

function optionsOf(command: Command): string[] {
  return command.options.flatMap(({ long }) => (long ? [long] : []));
}

function bashScript(program: Command): string {
  const cases = program.commands.map((one) => `    ${one.name()}) words='${optionsOf(one).join(' ')}' ;;`);
  return `_sealpush() {
  local words current=\${COMP_WORDS[COMP_CWORD]}
  if ((COMP_CWORD == 1)); then
    words='${program.commands.map((one) => one.name()).join(' ')}'
  else case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac fi
  if [[ $current == -* || COMP_CWORD -eq 1 ]]; then COMPREPLY=($(compgen -W "$words" -- "$current"))
  else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _sealpush sealpush
`;
}

function zshScript(program: Command): string {
  return `#compdef sealpush\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(program)}`;
}

function fishScript(program: Command): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
  const commands = program.commands.map(
    (one) =>
      `complete -c sealpush -n __fish_use_subcommand -f -a ${one.name()} -d ${quoted(one.description())}`,
  );
  const options = program.commands.flatMap((one) =>
    one.options.map(
      ({ long, description }) =>
        `complete -c sealpush -n '__fish_seen_subcommand_from ${one.name()}' -l ${long?.slice(2)} -d ${quoted(description)}`,
    ),
  );
  return `${[...commands, ...options].join('\n')}\n`;
}
