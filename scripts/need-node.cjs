// The tests need the Node that the dev dependency `node` brings; with --ignore-scripts it silently stays the old one.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  console.error(
    `Signalbox needs Node 22.13 or newer, and this is ${process.versions.node}. Run "npm ci" without --ignore-scripts: it brings Node 24 into node_modules.`,
  );
  process.exit(1);
}
