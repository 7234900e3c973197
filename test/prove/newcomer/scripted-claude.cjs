#!/usr/bin/env node
// Stands in for Claude Code on a newcomer's machine: it prints what the real one prints.
//
//   Write a plan   answers with the plan in `plan`
//   FILE: TEXT     in the title of a task: writes TEXT into FILE; does nothing while `broken` exists
//   waits          in the title: waits until `go` exists
//   anything else  answers with one sentence
//
// These files lie beside the folder that it was called in: variables of the person do not reach agents.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

if (process.argv.includes('--version')) {
  console.log('2.1.325 (Claude Code)');
  process.exit(0);
}

const prompt = fs.readFileSync(0, 'utf8');
const sign = (name) => path.join(path.dirname(process.argv[1]), '..', name);
const about = { session_id: '0d964f53-6ca2-466a-a367-1ec079463cc3' };
const print = (line) => console.log(JSON.stringify({ ...line, ...about }));
const say = (text) =>
  print({
    type: 'assistant',
    message: { role: 'assistant', model: 'scripted', content: [{ type: 'text', text }], usage: {} },
  });

function end(text) {
  say(text);
  print({
    ...{ type: 'result', subtype: 'success', is_error: false, num_turns: 1, duration_ms: 10, result: text },
    ...{ total_cost_usd: 0.01, usage: { input_tokens: 100, output_tokens: 20 } },
  });
  process.exit(0);
}

print({ type: 'system', subtype: 'init', cwd: process.cwd(), tools: [], mcp_servers: [], model: 'scripted' });
const written = /(\S+\.txt): (\w+)/.exec(prompt);
if (prompt.includes('# Write a plan')) end(fs.readFileSync(sign('plan'), 'utf8'));
else if (/\bwaits\b/.test(prompt)) {
  say('I am looking at the shop.');
  const looking = setInterval(() => {
    if (!fs.existsSync(sign('go'))) return;
    clearInterval(looking);
    fs.writeFileSync('waited.txt', 'yes\n');
    end('I have waited.');
  }, 20);
} else if (written) {
  if (fs.existsSync(sign('broken'))) end('I could not find the place for it.');
  else {
    fs.writeFileSync(written[1], `${written[2]}\n`);
    end(`I wrote ${written[1]}.`);
  }
} else end('A small shop: one page and its prices.');
