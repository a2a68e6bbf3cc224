// Sabaki's own engine layer drives our engine: pipelined commands, ids, a short game with undo, live analysis. Prints JSON.
const [modules, command, ...words] = process.argv.slice(2)
const {Controller, ControllerStateTracker} = require(modules + '/@sabaki/gtp')

async function main() {
    const controller = new Controller(command, words)
    const said = []
    controller.on('response-received', ({command, response}) =>
        said.push([command.name, response.error, response.content.split('\n')[0].slice(0, 40)]))
    controller.start()
    const first = await Promise.all(
        ['name', 'version', 'protocol_version', 'list_commands'].map(name => controller.sendCommand({name})))
    const names = first[3].content.split('\n')
    const tracker = new ControllerStateTracker(controller)
    await controller.sendCommand({id: 7, name: 'komi', args: ['6.5']})
    await tracker.sync({
        komi: 6.5, boardsize: [5, 5],
        history: [{name: 'play', args: ['B', 'C3']}, {name: 'play', args: ['W', 'D3']}],
    })
    const black = await controller.sendCommand({name: 'genmove', args: ['B']})
    const white = await controller.sendCommand({id: 42, name: 'genmove', args: ['W']})
    await tracker.sync({komi: 6.5, boardsize: [5, 5], history: [{name: 'play', args: ['B', 'C3']}]})
    const illegal = await controller.sendCommand({name: 'play', args: ['W', 'C3']})
    let infos = 0
    const analysis = controller.sendCommand({name: 'lz-analyze', args: ['W', '10']}, ({line}) => {
        infos += line.startsWith('info move ') ? 1 : 0
    })
    await new Promise(resolve => setTimeout(resolve, 700))
    await controller.sendCommand({name: 'name'})
    const analysed = await analysis
    const board = await controller.sendCommand({name: 'showboard'})
    await controller.stop()
    console.log(JSON.stringify({name: first[0].content, protocol: first[2].content, names, black: black.content,
        white: white.content, whiteId: white.id, illegal: [illegal.error, illegal.content], infos,
        analysisError: analysed.error, board: board.content, said: said.length}))
}

main().then(() => process.exit(0), error => { console.error(error); process.exit(1) })
