// What a YAML text says, as written: every scalar is its source text with its place, so `1.10` stays `1.10`. What a scalar
// means is decided by the key it belongs to.
import { quoted } from '../../diagnostics/diagnostic.ts';
import type { Place, Report } from '../../diagnostics/report.ts';

export type YamlNode = YamlText | YamlList | YamlMap;

export interface YamlText extends Place {
  readonly kind: 'text';
  readonly text: string;
  /** Without quotes, so that `true` could be meant as a flag and `1.10` as a number. */
  readonly plain: boolean;
}

export interface YamlList extends Place {
  readonly kind: 'list';
  readonly items: readonly YamlNode[];
}

export interface YamlMap extends Place {
  readonly kind: 'map';
  readonly entries: readonly YamlEntry[];
}

export interface YamlEntry {
  readonly key: YamlText;
  readonly value: YamlNode;
}

/** The entries, each name once; a second one of the same name is reported. */
export function entriesOf(map: YamlMap, report: Report): readonly YamlEntry[] {
  const seen = new Map<string, YamlText>();
  return map.entries.filter(({ key }) => {
    const first = seen.get(key.text);
    if (first === undefined) {
      seen.set(key.text, key);
      return true;
    }
    report.error({
      code: 'duplicate-key',
      message: `${quoted(key.text)} is there twice`,
      line: key.line,
      column: key.column,
      length: Math.max(1, key.text.length),
      help: `the first is in line ${first.line}`,
    });
    return false;
  });
}

export const isEmpty = (node: YamlNode): boolean => node.kind === 'text' && node.plain && node.text === '';

const typed =
  /^(?:true|false|null|yes|no|on|off|~|[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|0x[\da-f]+|0o[0-7]+|[-+]?\.inf|\.nan)$/i;

/** YAML would read it as something else than a text. */
export const looksTyped = (node: YamlText): boolean => node.plain && typed.test(node.text);

/** For messages: what stands there. */
export function describeNode(node: YamlNode): string {
  if (isEmpty(node)) return 'nothing';
  return node.kind === 'text' ? quoted(node.text) : node.kind === 'list' ? 'a list' : 'a map';
}
