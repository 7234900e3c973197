// The package holds what people who install it need, and nothing of how it is built.
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { expect, it } from 'vitest';

it('npm pack takes the program, its schemas, types, pages, examples and plugin, and nothing else', () => {
  // Without scripts: a build would replace the program under the tests beside this one.
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const [{ files }] = JSON.parse(packed);
  const found: string[] = files.map(({ path }: { path: string }) => path);
  expect(found.sort()).toEqual(
    [
      ...['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'],
      ...[
        'bin/signalbox.cjs',
        'bin/ending-signals.json',
        'dist/signalbox.cjs',
        'dist/mcp-library.cjs',
        'dist/library.js',
      ],
      ...['.claude-plugin/marketplace.json', 'plugin/.mcp.json', 'plugin/.claude-plugin/plugin.json'],
      ...globSync(['plugin/*/*.{md,json}', 'plugin/skills/*/*.md', 'plugin/bin/*']),
      ...globSync(['schema/*.json', 'types/library.d.ts', 'docs/*.md', 'docs/pictures/*.svg', 'examples/*.md']),
    ]
      .filter((file) => !['docs/ARCHITECTURE.md', 'examples/tour.md'].includes(file))
      .sort(),
  );
});
