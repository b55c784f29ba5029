//! A small bot on the real serenity client that uses each kind of answer once.

use std::sync::Arc;

use serenity::all::{
    ActionRowComponent, AutocompleteChoice, ButtonStyle, ChannelType, ClientBuilder, Command,
    CommandInteraction, CommandOptionType, CommandType, ComponentInteraction, ComponentInteractionDataKind,
    Context, CreateActionRow, CreateAttachment, CreateAutocompleteResponse, CreateButton, CreateCommand,
    CreateCommandOption, CreateInputText, CreateInteractionResponse, CreateInteractionResponseFollowup,
    CreateInteractionResponseMessage, CreateMessage, CreateModal, CreateSelectMenu, CreateSelectMenuKind,
    CreateSelectMenuOption, CreateThread, EditInteractionResponse, EventHandler, GatewayIntents, Http,
    HttpBuilder, InputTextStyle, Interaction, Message, ModalInteraction, Ready,
};
use serenity::async_trait;

use super::super::Playground;

/// The event handler of the bot.
pub(super) struct Echo;

/// The autocomplete choices of `/pick`.
const FRUITS: [&str; 5] = ["apple", "apricot", "banana", "blackberry", "cherry"];

/// Creates serenity's HTTP client, pointed at the playground.
pub(super) fn http(playground: &Playground) -> Http {
    HttpBuilder::new(playground.token())
        .proxy(playground.api_base())
        .ratelimiter_disabled(true)
        .application_id(super::super::BOT_ID.0.into())
        .build()
}

/// Starts the bot in the background and waits until it is connected.
pub(super) async fn start_echo(playground: &Playground) {
    let intents = GatewayIntents::GUILDS
        | GatewayIntents::GUILD_MESSAGES
        | GatewayIntents::DIRECT_MESSAGES
        | GatewayIntents::GUILD_MESSAGE_REACTIONS
        | GatewayIntents::GUILD_MESSAGE_TYPING;
    let client = ClientBuilder::new_with_http(http(playground), intents).event_handler(Echo).await;
    let mut client = client.expect("a client");
    tokio::spawn(async move { client.start().await });
    playground.wait_for_bot().await.expect("the bot comes");
}

#[async_trait]
impl EventHandler for Echo {
    async fn ready(&self, ctx: Context, _: Ready) {
        Command::set_global_commands(&ctx.http, commands()).await.expect("commands are taken");
    }

    async fn message(&self, ctx: Context, message: Message) {
        if message.author.bot || message.content.is_empty() {
            return;
        }
        let text = format!("I heard: {}", message.content);
        message.reply_ping(&ctx.http, text).await.expect("a reply");
    }

    async fn interaction_create(&self, ctx: Context, interaction: Interaction) {
        let http = ctx.http.clone();
        match interaction {
            Interaction::Command(command) => on_command(http, command).await,
            Interaction::Autocomplete(command) => on_autocomplete(http, command).await,
            Interaction::Component(press) => on_press(http, press).await,
            Interaction::Modal(form) => on_form(http, form).await,
            _ => {}
        }
    }
}

fn commands() -> Vec<CreateCommand> {
    use CommandOptionType::{Integer, String as Text, SubCommand, User};
    let option = |kind, name: &str, what: &str| CreateCommandOption::new(kind, name, what);
    vec![
        CreateCommand::new("echo")
            .description("Says it again")
            .add_option(option(Text, "text", "What to say").required(true))
            .add_option(option(User, "to", "To whom"))
            .add_option(option(Integer, "times", "How often").min_int_value(1).max_int_value(5)),
        CreateCommand::new("show").description("A picture with buttons and lists"),
        CreateCommand::new("form").description("Opens a form"),
        CreateCommand::new("secret").description("Answers so that only you see it"),
        CreateCommand::new("slow").description("Thinks first"),
        CreateCommand::new("silent").description("Never answers"),
        CreateCommand::new("table").description("Opens a thread and posts a picture there"),
        CreateCommand::new("pick")
            .description("Completes what you type")
            .add_option(option(Text, "fruit", "A fruit").required(true).set_autocomplete(true)),
        CreateCommand::new("rules")
            .description("Has sub-commands")
            .add_option(option(SubCommand, "short", "In short"))
            .add_option(
                option(SubCommand, "long", "At length").add_sub_option(
                    option(Text, "game", "Which")
                        .required(true)
                        .add_string_choice("Amazons", "amazons")
                        .add_string_choice("Amoeba", "amoeba"),
                ),
            ),
        CreateCommand::new("Greet").kind(CommandType::User),
        CreateCommand::new("Quote").kind(CommandType::Message),
    ]
}

async fn on_command(http: Arc<Http>, command: CommandInteraction) {
    let say = |text: String| CreateInteractionResponseMessage::new().content(text);
    let answer = match command.data.name.as_str() {
        "show" => shown(),
        "form" => return command.create_response(&http, form()).await.expect("a form"),
        "secret" => say("Only you see this.".into()).ephemeral(true).components(buttons()),
        "slow" => return think(http, command).await,
        "silent" => return,
        "table" => return table(http, command).await,
        "Greet" => say(format!("Hello {}!", command.data.target_id.map_or(0, |id| id.get()))),
        "Quote" => {
            let quoted = command.data.resolved.messages.values().next().expect("a message");
            say(format!("> {}", quoted.content))
        }
        _ => say(format!("{}: {:?}", command.data.name, command.data.options)),
    };
    command.create_response(&http, CreateInteractionResponse::Message(answer)).await.expect("an answer");
}

async fn think(http: Arc<Http>, command: CommandInteraction) {
    let thinking = CreateInteractionResponse::Defer(CreateInteractionResponseMessage::new());
    command.create_response(&http, thinking).await.expect("thinking");
    let thought = EditInteractionResponse::new().content("I thought about it.").new_attachment(picture());
    command.edit_response(&http, thought).await.expect("a thought");
    let more = CreateInteractionResponseFollowup::new().content("And one thing more.").ephemeral(true);
    command.create_followup(&http, more).await.expect("a follow-up");
}

async fn table(http: Arc<Http>, command: CommandInteraction) {
    let here = CreateInteractionResponseMessage::new().content("A table is set.");
    command.create_response(&http, CreateInteractionResponse::Message(here)).await.expect("an answer");
    let new = CreateThread::new("K7Q2 echo").kind(ChannelType::PublicThread);
    let thread = command.channel_id.create_thread(&http, new).await.expect("a thread");
    let board =
        CreateMessage::new().content(format!("<@{}>, your turn", command.user.id)).components(buttons());
    thread.send_files(&http, [picture()], board).await.expect("a board");
}

async fn on_autocomplete(http: Arc<Http>, command: CommandInteraction) {
    let typed = command.data.autocomplete().map_or("", |option| option.value).to_lowercase();
    let fitting = FRUITS.iter().filter(|fruit| fruit.starts_with(&typed));
    let choices = fitting.map(|fruit| AutocompleteChoice::new(fruit.to_uppercase(), *fruit)).collect();
    let answer = CreateAutocompleteResponse::new().set_choices(choices);
    command.create_response(&http, CreateInteractionResponse::Autocomplete(answer)).await.expect("choices");
}

async fn on_press(http: Arc<Http>, press: ComponentInteraction) {
    let say = |text: String| CreateInteractionResponseMessage::new().content(text);
    let answer = match (press.data.custom_id.as_str(), &press.data.kind) {
        ("form", _) => form(),
        ("nothing", _) => CreateInteractionResponse::Acknowledge,
        ("change", _) => {
            let now = format!("Changed after {} by {}", press.message.content.len(), press.user.name);
            CreateInteractionResponse::UpdateMessage(say(now).components(buttons()))
        }
        (_, ComponentInteractionDataKind::StringSelect { values }) => {
            CreateInteractionResponse::Message(say(format!("Chosen: {}", values.join(", "))))
        }
        (other, _) => CreateInteractionResponse::Message(say(format!("Pressed: {other}")).ephemeral(true)),
    };
    press.create_response(&http, answer).await.expect("an answer to a press");
}

async fn on_form(http: Arc<Http>, form: ModalInteraction) {
    let inputs = form.data.components.iter().flat_map(|row| &row.components);
    let typed: Vec<String> = inputs
        .filter_map(|input| match input {
            ActionRowComponent::InputText(text) => text.value.clone(),
            _ => None,
        })
        .collect();
    let answer = CreateInteractionResponseMessage::new().content(format!("Filled in: {}", typed.join(" / ")));
    form.create_response(&http, CreateInteractionResponse::Message(answer))
        .await
        .expect("an answer to a form");
}

fn shown() -> CreateInteractionResponseMessage {
    let options = FRUITS.map(|fruit| CreateSelectMenuOption::new(fruit, fruit).description("A fruit"));
    let strings = CreateSelectMenuKind::String { options: options.to_vec() };
    let list = CreateSelectMenu::new("list", strings).placeholder("Choose two").max_values(2);
    let people = CreateSelectMenu::new("people", CreateSelectMenuKind::User { default_users: None });
    let mut rows = buttons();
    rows.extend([CreateActionRow::SelectMenu(list), CreateActionRow::SelectMenu(people)]);
    CreateInteractionResponseMessage::new()
        .content("**Here** is a `picture`, <#1> and ||a secret||")
        .add_file(picture())
        .embed(
            serenity::all::CreateEmbed::new()
                .title("An embed")
                .description("With text.")
                .field("A", "b", true),
        )
        .components(rows)
}

fn buttons() -> Vec<CreateActionRow> {
    vec![CreateActionRow::Buttons(vec![
        CreateButton::new("change").label("Change").style(ButtonStyle::Primary),
        CreateButton::new("form").label("Form"),
        CreateButton::new("say").label("Say").emoji('🐦').style(ButtonStyle::Success),
        CreateButton::new("nothing").label("Nothing").style(ButtonStyle::Danger),
        CreateButton::new("off").label("Off").disabled(true),
    ])]
}

fn form() -> CreateInteractionResponse {
    let short =
        CreateInputText::new(InputTextStyle::Short, "Move", "move").placeholder("f1-e2/f1").max_length(20);
    let long = CreateInputText::new(InputTextStyle::Paragraph, "Why", "why").required(false);
    let rows = vec![CreateActionRow::InputText(short), CreateActionRow::InputText(long)];
    CreateInteractionResponse::Modal(CreateModal::new("move-form", "Your move").components(rows))
}

/// Creates a small chequered picture with an alternative text.
fn picture() -> CreateAttachment {
    let square = |x: u32, y: u32| (x / 40 + y / 40).is_multiple_of(2);
    let paint = |x, y| if square(x, y) { image::Rgb([240, 217, 181]) } else { image::Rgb([181u8, 136, 99]) };
    let board = image::RgbImage::from_fn(400, 400, paint);
    let mut bytes = std::io::Cursor::new(Vec::new());
    board.write_to(&mut bytes, image::ImageFormat::Png).expect("a PNG");
    CreateAttachment::bytes(bytes.into_inner(), "board.png")
        .description("An empty board of ten by ten squares.")
}
